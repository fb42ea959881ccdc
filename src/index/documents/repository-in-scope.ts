/** The name a repository goes by now, as far as the viewer may know it. */
import { sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** The repository that the scope names; undefined when it names none that is visible. */
export function repositoryName(scope: Scope): Query<string | undefined> {
  const named = scope.repository ? sql`r.repository = ${repositoriesIn(scope)}` : sql`0`
  return {
    statement: sql`SELECT r.name FROM repositories r WHERE ${named}`,
    toValue: ([row]) => row?.['name'] as string | undefined,
  }
}
