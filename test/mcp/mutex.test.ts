/** One at a time: waiting, giving back, and going on after one who never gave back. */
import { expect, test } from 'vitest'
import { pause, Mutex } from '../../src/mcp/mutex.ts'

const WANTED = new AbortController().signal

test('the second waits until the first gives back', async () => {
  const turn = new Mutex()
  const order: string[] = []
  const first = await turn.take(Date.now, WANTED)
  const waitInLine = async () => {
    const lease = await turn.take(Date.now, WANTED)
    order.push('second')
    lease?.release()
  }
  const second = waitInLine()
  await pause(50)
  order.push('first is done')
  first?.release()
  await second
  expect(order).toEqual(['first is done', 'second'])
})

test('never two at once, however many come', async () => {
  const turn = new Mutex()
  let inside = 0
  let most = 0
  const visit = async () => {
    const lease = await turn.take(Date.now, WANTED)
    inside += 1
    most = Math.max(most, inside)
    await pause(2)
    inside -= 1
    lease?.release()
  }
  await Promise.all(Array.from({ length: 12 }, visit))
  expect([inside, most]).toEqual([0, 1])
})

test("one who shows no sign of life loses the turn, and cannot give back what is another's", async () => {
  let now = 0
  const turn = new Mutex()
  const lost = await turn.take(() => now, WANTED)
  const kept = turn.take(() => now, WANTED)
  now = 1_999
  lost?.renew()
  now = 3_998
  let got = false
  void kept.then(() => (got = true))
  await pause(40)
  expect(got).toBe(false)
  now = 3_999
  const lease = await kept
  expect(lease).toBeDefined()
  lost?.release()
  const stop = new AbortController()
  const third = turn.take(() => now, stop.signal)
  await pause(30)
  stop.abort()
  expect(await third).toBeUndefined()
})

test('one who is no longer wanted leaves the line', async () => {
  const turn = new Mutex()
  const first = await turn.take(Date.now, WANTED)
  expect(await turn.take(Date.now, AbortSignal.abort())).toBeUndefined()
  first?.release()
  expect(await turn.take(Date.now, WANTED)).toBeDefined()
})
