/** Waiting for the mutex, releasing it, and taking it after the lease of a holder that never released it. */
import { expect, test } from 'vitest'
import { pause, Mutex } from '../../src/mcp/mutex.ts'

const WANTED = new AbortController().signal

test('a second caller waits until the first releases the mutex', async () => {
  const mutex = new Mutex()
  const order: string[] = []
  const first = await mutex.take(Date.now, WANTED)
  const takeSecond = async () => {
    const lease = await mutex.take(Date.now, WANTED)
    order.push('second')
    lease?.release()
  }
  const second = takeSecond()
  await pause(50)
  order.push('first is done')
  first?.release()
  await second
  expect(order).toEqual(['first is done', 'second'])
})

test('the mutex has one holder at a time, however many callers wait', async () => {
  const mutex = new Mutex()
  let inside = 0
  let most = 0
  const visit = async () => {
    const lease = await mutex.take(Date.now, WANTED)
    inside += 1
    most = Math.max(most, inside)
    await pause(2)
    inside -= 1
    lease?.release()
  }
  await Promise.all(Array.from({ length: 12 }, visit))
  expect([inside, most]).toEqual([0, 1])
})

test('a holder that does not renew its lease loses the mutex, and can no longer release it', async () => {
  let now = 0
  const mutex = new Mutex()
  const lost = await mutex.take(() => now, WANTED)
  const kept = mutex.take(() => now, WANTED)
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
  const third = mutex.take(() => now, stop.signal)
  await pause(30)
  stop.abort()
  expect(await third).toBeUndefined()
})

test('a caller whose signal is aborted stops waiting', async () => {
  const mutex = new Mutex()
  const first = await mutex.take(Date.now, WANTED)
  expect(await mutex.take(Date.now, AbortSignal.abort())).toBeUndefined()
  first?.release()
  expect(await mutex.take(Date.now, WANTED)).toBeDefined()
})
