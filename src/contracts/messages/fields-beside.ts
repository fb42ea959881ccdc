/**
 * Fields of metadata or filters that a caller puts beside that parameter instead of
 * inside it. They are not published, but they are unmistakable, and ignoring them
 * would lose data. A field that was given twice is refused.
 */
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { readGiven } from './json-parameters.ts'

/** The names under which fields are accepted beside their parameter. */
type NamesBeside<Field extends string> = Readonly<Record<string, Field>>

/**
 * The fields given beside their parameter; null counts as absent. `taken` has the
 * fields that were given in their own place, with the names of these places.
 * `parse` checks one value.
 */
export function readFieldsBeside<Field extends string>(
  args: object,
  names: NamesBeside<Field>,
  taken: Iterable<readonly [string, string]>,
  parse: (name: string, field: Field, value: unknown) => Result<unknown>,
): Result<{ readonly [F in Field]?: unknown }> {
  const givenAs = new Map<string, string>(taken)
  const fields: { [F in Field]?: unknown } = {}
  for (const [name, field] of Object.entries(names)) {
    const value = readGiven(args, name)
    if (value === undefined) continue
    const earlier = givenAs.get(field)
    if (earlier !== undefined) {
      return refuse(invalid(name, `given together with ${earlier}, accepted is one of the two`))
    }
    const parsed = parse(name, field, value)
    if (!parsed.ok) return parsed
    givenAs.set(field, name)
    fields[field] = parsed.value
  }
  return ok(fields)
}

/** The fields of a parameter's value, with their places. */
export function fieldsOf(parameter: string, value: object): [string, string][] {
  return Object.keys(value).map((field) => [field, `${parameter}.${field}`])
}
