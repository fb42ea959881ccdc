import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { toFolderName } from '../../../mcp-server/src/cli/render.ts'

let folder = ''
const folders: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-render-'))
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

function render(text: string, ...args: string[]) {
  writeFileSync(join(folder, 'song.mml'), text)
  const command = [resolve('mcp-server/src/cli/render.ts'), 'song.mml', ...args]
  return spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', timeout: 30_000 })
}

test('without -o a song becomes a WAV file beside a copy of its text, in a new folder', () => {
  const { status, stdout } = render('A t120 c4 d4')
  expect(status).toBe(0)
  const [made = ''] = readdirSync(folder).filter((name) => name !== 'song.mml')
  expect(made).toMatch(/^\d{8}_\d{6}_\d{3}$/)
  expect(readdirSync(join(folder, made)).toSorted()).toEqual(['output.mml', 'output.wav'])
  expect(readFileSync(join(folder, made, 'output.wav')).byteLength).toBe(44 + 2 * 44_100)
  expect(readFileSync(join(folder, made, 'output.mml'), 'utf8')).toBe('A t120 c4 d4')
  expect(stdout).toContain('1.00 s, 88244 bytes')
})

test('-o names the file, --rate sets its rate, and a pyxel text is recognised by its tracks', () => {
  const { status } = render('0: T120 C4 D4', '-o', 'out.wav', '--rate', '8000')
  expect(status).toBe(0)
  expect(readFileSync(join(folder, 'out.wav')).byteLength).toBe(44 + 2 * 8_000)
  expect(readdirSync(folder).toSorted()).toEqual(['out.wav', 'song.mml'])
})

test('an error in the text is printed with file, line and column, and no file is written', () => {
  const { status, stderr } = render('A c\nB d ?', '-o', 'out.wav')
  expect(status).toBe(1)
  expect(stderr).toContain('song.mml:2:5: error:')
  expect(stderr).toContain('[SYNTAX_INVALID_TOKEN]')
  expect(existsSync(join(folder, 'out.wav'))).toBe(false)
})

test('a WAV file that cannot be written is an error with a code', () => {
  const { status, stderr } = render('A c', '-o', 'no/such/folder/out.wav')
  expect([status, stderr.includes('[RUNTIME_WAV_WRITE_FAILED]')]).toEqual([1, true])
})

test.each([[['--rate', '7']], [['--mode', 'midi']], [['--loops', '9']], [['--colour']], [['second.mml']]])(
  'the arguments %j are refused with exit code 2',
  (args) => {
    expect(render('A c', ...args).status).toBe(2)
  },
)

test('a folder is named after the time of day to the millisecond', () => {
  expect(toFolderName(new Date(2026, 0, 2, 3, 4, 5, 6))).toBe('20260102_030405_006')
})
