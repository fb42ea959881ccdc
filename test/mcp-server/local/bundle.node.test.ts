import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureBundle } from '../../../mcp-server/src/local/bundle.ts'

const root = mkdtempSync(join(tmpdir(), 'kotodama-bundle-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const source = join(root, 'src', 'worker.ts')

/** Writes the source so that it is newer than anything built before. */
function edit(text: string): void {
  writeFileSync(source, text)
  const later = new Date(Date.now() + 60_000)
  utimesSync(source, later, later)
}

test('the bundle is built when it is missing or older than a source, and a failed build keeps the old one', async () => {
  mkdirSync(join(root, 'src'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'wrangler.toml'), 'name = "a"\nmain = "src/worker.ts"\ncompatibility_date = "2026-11-01"\n')
  writeFileSync(source, "export default { fetch: () => new Response('first') }")

  const bundle = join(root, 'dist', 'worker.js')
  expect(await ensureBundle(root)).toEqual({ ok: true, value: bundle })
  expect(readFileSync(bundle, 'utf8')).toContain('first')
  const built = statSync(bundle).mtimeMs
  await ensureBundle(root)
  expect(statSync(bundle).mtimeMs).toBe(built)

  edit("export default { fetch: () => new Response('second') }")
  await ensureBundle(root)
  expect(readFileSync(bundle, 'utf8')).toContain('second')

  edit('export default { fetch: (')
  expect(await ensureBundle(root)).toMatchObject({ ok: false, failure: { code: 'IO_ERROR' } })
  expect(readFileSync(bundle, 'utf8')).toContain('second')
  expect(readdirSync(join(root, 'dist')).filter((name) => name.startsWith('.'))).toEqual([])
})
