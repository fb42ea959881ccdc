/** `compose_mml` over the Worker's own door: the shapes of its answers, the sound in them, and its failures. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { MAX_SEQUENCE_CHARS } from '../../../src/contracts/limits.ts'
import { composeMmlTool } from '../../../src/contracts/tools/compose-mml.ts'
import { rpc, testApp, toolCall } from '../../support/app.ts'
import { fileOf, type Reply } from '../../support/sound.ts'

const SONG = 'A t120 l8 o5 c d e f\nB l8 c r c r\nT o3 c2\nN r2'

async function call(args: object, app = testApp(env.DB)): Promise<Reply> {
  const { body } = await rpc(app, toolCall(args, 'compose_mml'), {}, '/mcp/music')
  expect(body.error).toBeUndefined()
  expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent)
  return body.result
}

const compose = (args: object) => call({ action: 'compose', mode: 'ppmck', mml: SONG, ...args })
const validate = (args: object) => call({ action: 'validate', mode: 'ppmck', mml: SONG, ...args })

test('compose returns its result, then the sound.', async () => {
  const reply = await compose({})
  expect(fileOf(reply).byteLength).toBe(44 + 2 * 44_100)
  expect(Object.keys(reply.structuredContent).toSorted()).toEqual(
    ['audio', 'channel_summary', 'duration_sec', 'note_sequence', 'profile', 'success', 'validation'].toSorted(),
  )
  expect(reply.structuredContent).toMatchObject({
    success: true,
    audio: { mime_type: 'audio/wav', size_bytes: 88_244, sample_rate: 44_100 },
    duration_sec: 1,
    validation: { errors: [], warnings: [] },
    profile: 'house',
  })
  expect(reply.structuredContent['note_sequence']).toMatchObject({ version: '2.0', bpm: 120, mode: 'ppmck' })
})

test('The file has the requested sample rate.', async () => {
  for (const sample_rate of [8_000, 22_050, 96_000]) {
    const reply = await compose({ sample_rate })
    const bytes = fileOf(reply)
    expect(new DataView(bytes.buffer).getUint32(24, true)).toBe(sample_rate)
    expect(bytes.byteLength).toBe(44 + 2 * sample_rate)
  }
})

test('Every option of the sound changes the file.', async () => {
  const plain = fileOf(await compose({}))
  for (const other of [{ normalize: false }, { console_filters: true }, { fade_sec: 0.5 }]) {
    const bytes = fileOf(await compose(other))
    expect(bytes.byteLength).toBe(plain.byteLength)
    expect(bytes).not.toEqual(plain)
  }
  const looped = await compose({ mml: `${SONG}\nL r4`, loops: 3, fade_sec: 0.25 })
  expect(looped.structuredContent['duration_sec']).toBe(0.5 + 3 * 0.5 + 0.25)
})

test('An invalid text is an answer of validate and a failure of compose.', async () => {
  const checked = await validate({ mml: 'A c ?' })
  expect(checked.isError).toBe(false)
  expect(checked.structuredContent).toMatchObject({ valid: false, note_sequence: null, channel_summary: [] })
  const error = {
    code: 'SYNTAX_INVALID_TOKEN',
    phase: 'syntax',
    line: 1,
    column: 5,
    severity: 'error',
    context: 'A c ?',
  }
  expect(checked.structuredContent['errors']).toEqual([expect.objectContaining(error)])
  const failed = await compose({ mml: 'A c ?' })
  expect([failed.isError, failed.content.length]).toEqual([true, 1])
  expect(failed.structuredContent).toEqual({
    success: false,
    audio: null,
    duration_sec: 0,
    validation: { errors: checked.structuredContent['errors'], warnings: [] },
    profile: 'house',
    channel_summary: [],
    note_sequence: null,
  })
})

test('validate summarizes a text by channel.', async () => {
  const { structuredContent, isError } = await validate({})
  expect(isError).toBe(false)
  expect(structuredContent).toMatchObject({ valid: true, errors: [], warnings: [], profile: 'house' })
  expect(structuredContent['channel_summary']).toEqual([
    { channel: 'Pulse1', note_count: 4, octave_range: [5, 5], duration_ticks: 384 },
    { channel: 'Pulse2', note_count: 2, octave_range: [4, 4], duration_ticks: 384 },
    { channel: 'Triangle', note_count: 1, octave_range: [3, 3], duration_ticks: 384 },
    { channel: 'Noise', note_count: 0, octave_range: [4, 4], duration_ticks: 384 },
  ])
})

test('The note sequence is null when not requested, and reported as omitted when too long.', async () => {
  expect((await compose({ include_sequence: false })).structuredContent['note_sequence']).toBeNull()
  const unwanted = (await validate({ include_sequence: false })).structuredContent
  expect(unwanted['note_sequence']).toBeNull()
  expect(unwanted).not.toHaveProperty('note_sequence_omitted')
  const long = (await validate({ mml: 'A l64 [c]40000' })).structuredContent
  expect(long).toMatchObject({ valid: true, note_sequence: null, note_sequence_omitted: true })
  expect(long['channel_summary'][0]).toMatchObject({ note_count: 40_000 })
})

test('A text without notes is valid and cannot be composed.', async () => {
  const checked = (await validate({ mml: '; only a word' })).structuredContent
  expect(checked).toMatchObject({ valid: true, warnings: [{ code: 'SEMANTIC_EMPTY_TRACK' }] })
  const failed = await compose({ mml: '; only a word' })
  expect(failed.isError).toBe(true)
  expect(failed.structuredContent).toMatchObject({
    success: false,
    validation: { errors: [{ code: 'SEMANTIC_EMPTY_TRACK' }] },
  })
})

test('The refusal of a song that is too long names its length and a fitting rate.', async () => {
  const failed = await compose({ mml: 'A t60 [c1]24' })
  expect(failed.isError).toBe(true)
  const [error] = failed.structuredContent['validation'].errors
  expect(error).toMatchObject({ code: 'RUNTIME_DURATION_LIMIT', line: 0, message: expect.stringContaining('96.0 s') })
  expect(error.hint).toContain('41666')
  const endless = await compose({ mml: 'A t1 [c1]90000' })
  expect(endless.structuredContent['validation'].errors[0].hint).toContain('no sample_rate')
})

test.each<[object, string, string]>([
  [{}, 'VALIDATION_MISSING_PARAMETER', 'action'],
  [{ action: 'Compose', mml: SONG, mode: 'ppmck' }, 'VALIDATION_INVALID_ACTION', 'action'],
  [{ action: 7 }, 'VALIDATION_INVALID_ACTION', 'action'],
  [{ action: 'compose', mode: 'ppmck' }, 'VALIDATION_MISSING_PARAMETER', 'mml'],
  [{ action: 'validate', mode: 'ppmck', mml: '' }, 'VALIDATION_MISSING_PARAMETER', 'mml'],
  [{ action: 'compose', mml: SONG }, 'VALIDATION_MISSING_PARAMETER', 'mode'],
  [{ action: 'validate', mml: SONG, mode: null }, 'VALIDATION_MISSING_PARAMETER', 'mode'],
  [{ action: 'validate', mml: SONG, mode: 'PPMCK' }, 'VALIDATION_INVALID_MODE', 'mode'],
  [{ action: 'validate', mml: SONG, mode: 5 }, 'VALIDATION_INVALID_MODE', 'mode'],
  [{ action: 'compose', mml: SONG, mode: 'constructor' }, 'VALIDATION_INVALID_MODE', 'mode'],
  [{ action: 'compose', mml: 9, mode: 'ppmck' }, 'VALIDATION_INVALID_PARAMETER', 'mml'],
  ...[0, -1, 7_999, 96_001, 44_100.5, '44100.5'].map((sample_rate): [object, string, string] => [
    { action: 'compose', mml: SONG, mode: 'ppmck', sample_rate },
    'VALIDATION_INVALID_SAMPLE_RATE',
    'sample_rate',
  ]),
  [{ action: 'compose', mml: SONG, mode: 'ppmck', loops: 9 }, 'VALIDATION_INVALID_PARAMETER', 'loops'],
  [{ action: 'compose', mml: SONG, mode: 'ppmck', fade_sec: 31 }, 'VALIDATION_INVALID_PARAMETER', 'fade_sec'],
  [{ action: 'compose', mml: SONG, mode: 'ppmck', profile: 'wild' }, 'VALIDATION_INVALID_PARAMETER', 'profile'],
  [{ action: 'template', tempo: 5 }, 'VALIDATION_INVALID_PARAMETER', 'tempo'],
  [{ action: 'compose', mml: 'c'.repeat(256 * 1024 + 1), mode: 'ppmck' }, 'VALIDATION_INPUT_TOO_LARGE', 'mml'],
  [{ action: 'validate', mml: '音'.repeat(90_000), mode: 'ppmck' }, 'VALIDATION_INPUT_TOO_LARGE', 'mml'],
])('An unreadable parameter is named in the refusal (case %#).', async (args, code, parameter) => {
  const { isError, content, structuredContent } = await call(args)
  expect([isError, content.length]).toEqual([true, 1])
  const found = { errors: structuredContent['errors'], warnings: [] }
  expect(structuredContent).toEqual({
    success: false,
    valid: false,
    ...found,
    validation: found,
    note_sequence: null,
    audio: null,
    duration_sec: 0,
    channel_summary: [],
  })
  expect(found.errors).toHaveLength(1)
  expect(found.errors[0]).toMatchObject({ code, phase: 'api', line: 0, column: 0, context: '', severity: 'error' })
  expect(found.errors[0].message).toMatch(new RegExp(`^${parameter}: `))
})

test('Arguments that are not an object are refused in the same shape.', async () => {
  for (const args of [[], 'compose', 7]) {
    const { body } = await rpc(testApp(env.DB), toolCall(args, 'compose_mml'), {}, '/mcp/music')
    expect(body.result).toMatchObject({ isError: true, structuredContent: { success: false, valid: false } })
  }
})

test('template never fails.', async () => {
  const basic = (await call({ action: 'template', mode: 'ppmck', template: 'basic' })).structuredContent
  expect(Object.keys(basic).toSorted()).toEqual(['description', 'mml'])
  for (const args of [
    {},
    { mode: 'x' },
    { mode: '__proto__' },
    { template: 'constructor' },
    { template: '__proto__' },
  ]) {
    const reply = await call({ action: 'template', ...args })
    expect([reply.isError, reply.structuredContent]).toEqual([false, basic])
  }
  const pyxel = (await call({ action: 'template', mode: 'pyxel' })).structuredContent
  expect(pyxel['mml']).toContain('3:')
})

test('No answer contains a path of the machine or a link.', async () => {
  const answers = [
    await compose({}),
    await compose({ mml: 'A ?' }),
    await validate({}),
    await call({ action: 'template' }),
    await call({ action: 'x' }),
  ]
  for (const { content, structuredContent } of answers) {
    expect(content.every(({ type }) => type === 'text' || type === 'audio')).toBe(true)
    expect(JSON.stringify(structuredContent)).not.toMatch(
      /path|file:|https?:|resource|\/(?:tmp|home|var|usr)\b|[A-Z]:\\/i,
    )
  }
})

test('/mcp/music lists this tool alone, /mcp lists it last.', async () => {
  const listed = async (path: string) => {
    const { body } = await rpc(testApp(env.DB), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, path)
    return body.result.tools.map((tool: { name: string }) => tool.name)
  }
  expect(await listed('/mcp/music')).toEqual(['compose_mml'])
  expect((await listed('/mcp')).at(-1)).toBe('compose_mml')
})

test('Concurrent calls wait for each other and all get an answer.', async () => {
  const app = testApp(env.DB)
  const songs = [1, 2, 3, 4].map(async (length) => {
    const mml = `A [c1]${length * 8}`
    const reply = await call(
      { action: 'compose', mode: 'ppmck', mml, include_sequence: false, sample_rate: 8_000 },
      app,
    )
    fileOf(reply)
    return reply.structuredContent['duration_sec']
  })
  expect(await Promise.all(songs)).toEqual([16, 32, 48, 64])
})

test('/health answers while the longest song is synthesized.', async () => {
  const app = testApp(env.DB)
  const ended: string[] = []
  const mml = 'A t160 l16 [o4 c e g > c <]240\nB t160 l16 [o3 e g > c e <]240\nT o2 l8 [c g]240\nN l16 [c r c c]240'
  const song = call({ action: 'compose', mode: 'ppmck', mml, include_sequence: false }, app).then((reply) => {
    ended.push('song')
    return reply
  })
  for (let request = 0; request < 5; request += 1) {
    expect((await app.fetch('/health')).status).toBe(200)
    ended.push('health')
  }
  expect(fileOf(await song).byteLength).toBe(44 + 2 * 90 * 44_100)
  expect(ended.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'health'))
})

test('The description contains the limits and options that a model needs.', () => {
  for (const words of [
    'include_sequence: false',
    'ppmck',
    'pyxel',
    '90 s at 44,100 Hz',
    '181 s at 22,050 Hz',
    '4,000,000',
  ]) {
    expect(composeMmlTool.description).toContain(words)
  }
})

test('The longest answers are within the size that the list of tools publishes.', async () => {
  const { body } = await rpc(testApp(env.DB), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, '/mcp/music')
  const published = body.result.tools[0]._meta['anthropic/maxResultSizeChars']
  const textOf = ({ content }: Reply): string => String(content[0]?.['text'])
  const sequenceOf = async (notes: number) => textOf(await validate({ mml: `A l64 [c]${notes}` }))
  // The ticks of the last notes have the most digits: a part of the sequence longer than the average.
  const notes = Math.floor((MAX_SEQUENCE_CHARS * 10_000) / (await sequenceOf(10_000)).length) - 600
  const longest = await sequenceOf(notes)
  expect(longest).not.toContain('note_sequence_omitted')
  expect(longest.length).toBeGreaterThan(0.9 * MAX_SEQUENCE_CHARS)
  expect(longest.length).toBeLessThanOrEqual(published)
  const faults = Array.from({ length: 200 }, () => `A ?;${'\u0001'.repeat(250)}`).join('\n')
  const errors = textOf(await validate({ mml: faults }))
  expect(errors.length).toBeGreaterThan(100_000)
  expect(errors.length).toBeLessThanOrEqual(published - MAX_SEQUENCE_CHARS)
})
