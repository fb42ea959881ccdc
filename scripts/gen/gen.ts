/** `npm run gen`: writes every generated file and names those that changed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listGenerated } from './generated-files.ts'

const root = join(import.meta.dirname, '../..')

for (const { path, text } of listGenerated(root)) {
  const file = join(root, path)
  if (read(file) === text) continue
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`written: ${path}`)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
