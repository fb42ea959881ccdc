import { expect, test } from 'vitest'
import { progressMeter } from '../../../../mcp-server/src/cli/terminal/progress-meter.ts'

/** A stream that keeps what is written, and a clock that a test moves. */
function watched(isTTY: boolean) {
  const written: string[] = []
  const clock = { ms: 0 }
  const meter = progressMeter({ isTTY, write: (text) => written.push(text) }, () => clock.ms)
  return { written, clock, meter }
}

test('in a log, progress is a line at each new topic and then one every five seconds', () => {
  const { written, clock, meter } = watched(false)
  meter.show('1 of 9', 'documents')
  meter.show('2 of 9', 'commits')
  meter.show('3 of 9', 'commits')
  clock.ms = 5_000
  meter.show('4 of 9', 'commits')
  meter.end()
  expect(written).toEqual(['1 of 9\n', '2 of 9\n', '4 of 9\n'])
})

test('in a log, progress without a topic begins after five seconds', () => {
  const { written, clock, meter } = watched(false)
  meter.show('1 line')
  clock.ms = 5_000
  meter.show('2 lines')
  expect(written).toEqual(['2 lines\n'])
})

test('on a terminal, progress is one line that is rewritten, and cleared for a line that stays', () => {
  const { written, clock, meter } = watched(true)
  meter.show('1 of 9')
  meter.show('soon after')
  clock.ms = 100
  meter.show('2 of 9')
  meter.say('note')
  meter.say('more')
  clock.ms = 200
  meter.show('3 of 9')
  meter.end()
  meter.end()
  expect(written).toEqual([
    '\r\u001B[K1 of 9',
    '\r\u001B[K2 of 9',
    '\r\u001B[Knote\n',
    'more\n',
    '\r\u001B[K3 of 9',
    '\r\u001B[K',
  ])
})

test('on a terminal, a line longer than its width is cut', () => {
  const written: string[] = []
  progressMeter({ isTTY: true, columns: 10, write: (text) => written.push(text) }).show('0123456789')
  expect(written).toEqual(['\r\u001B[K012345678'])
})
