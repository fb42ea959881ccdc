/** The schedule of the alarm: which work runs, and when the alarm fires next. */
import { describe, expect, test } from 'vitest'
import { MAX_ALARM_DELAY_MS, RETRY_MS } from '../../../src/memory/limits.ts'
import { AlarmSchedule, type DueWork } from '../../../src/memory/maintenance/alarm-schedule.ts'

const NOW = 1_000_000

/** A schedule that records the work it runs. Its clock is at NOW until a test changes `clock.now`. */
function scheduled(more: Partial<DueWork> = {}, setAlarm: (at: number) => Promise<void> = () => Promise.resolve()) {
  const ran: string[] = []
  const alarms: number[] = []
  const clock = { now: NOW }
  const work: DueWork = {
    isOpen: () => true,
    nextExpiry: () => undefined,
    deleteExpired: () => Promise.resolve(true),
    needsRebuild: () => false,
    rebuildIfNeeded: () => Promise.resolve(true),
    isRebuilding: () => false,
    runSlice: () => true,
    nextEmbedding: () => undefined,
    startEmbedding: () => undefined,
    ...more,
  }
  const recorded: DueWork = {
    ...work,
    deleteExpired: () => (ran.push('expiry'), work.deleteExpired()),
    rebuildIfNeeded: () => (ran.push('rebuild'), work.rebuildIfNeeded()),
    runSlice: () => (ran.push('slice'), work.runSlice()),
    startEmbedding: () => (ran.push('vectors'), work.startEmbedding()),
  }
  const schedule = new AlarmSchedule(recorded, {
    now: () => clock.now,
    setAlarm: (at) => (alarms.push(at), setAlarm(at)),
  })
  return { schedule, ran, alarms, clock }
}

describe('the next alarm', () => {
  test('no alarm is due without work or in a store that is not open', () => {
    expect(scheduled().schedule.nextDue()).toBeUndefined()
    expect(scheduled({ isOpen: () => false, nextExpiry: () => NOW }).schedule.nextDue()).toBeUndefined()
  })

  test.each<[string, Partial<DueWork>, number]>([
    ['an expiry', { nextExpiry: () => NOW + 5 }, NOW + 5],
    ['vectors', { nextEmbedding: () => NOW + 6 }, NOW + 6],
    ['the earlier of two kinds of work', { nextExpiry: () => NOW + 5, nextEmbedding: () => NOW + 6 }, NOW + 5],
    ['overdue work, now', { nextExpiry: () => 1, nextEmbedding: () => 0 }, NOW],
    ['a needed rebuild, now', { needsRebuild: () => true, nextExpiry: () => NOW + 5 }, NOW],
    ['the next slice, now', { isRebuilding: () => true, nextExpiry: () => NOW + 5 }, NOW],
  ])('the alarm is due for %s', (_, work, at) => {
    expect(scheduled(work).schedule.nextDue()).toBe(at)
  })

  test('an alarm is set again only for an earlier time', async () => {
    let due = NOW + 50
    const { schedule, alarms } = scheduled({ nextExpiry: () => due })
    for (due of [NOW + 50, NOW + 60, NOW + 40, NOW + 40]) await schedule.set()
    expect(alarms).toEqual([NOW + 50, NOW + 40])
  })

  test('a time too far away is reached in several alarms', async () => {
    const { schedule, alarms } = scheduled({ nextExpiry: () => Number.MAX_SAFE_INTEGER })
    await schedule.set()
    expect(alarms).toEqual([NOW + MAX_ALARM_DELAY_MS])
  })

  test('an alarm that could not be set is set by the next call', async () => {
    let fails = true
    const setAlarm = () => (fails ? Promise.reject(new Error('down')) : Promise.resolve())
    const { schedule, alarms } = scheduled({ nextExpiry: () => NOW + 5 }, setAlarm)
    await expect(schedule.set()).rejects.toThrow('down')
    fails = false
    await schedule.set()
    expect(alarms).toEqual([NOW + 5, NOW + 5])
  })
})

describe('a run', () => {
  test('expiry, rebuild and vectors run in this order', async () => {
    const { schedule, ran } = scheduled()
    await schedule.run()
    expect(ran).toEqual(['expiry', 'rebuild', 'vectors'])
  })

  test('a rebuild in slices runs alone', async () => {
    const { schedule, ran, alarms } = scheduled({ isRebuilding: () => true })
    await schedule.run()
    expect(ran).toEqual(['slice'])
    expect(alarms).toEqual([NOW])
  })

  test('vectors wait for the last slice', async () => {
    let slices = 2
    const { schedule, ran } = scheduled({ isRebuilding: () => slices > 0, runSlice: () => ((slices -= 1), true) })
    for (let alarm = 0; alarm < 3; alarm += 1) await schedule.run()
    expect(ran).toEqual(['slice', 'slice', 'vectors', 'expiry', 'rebuild', 'vectors'])
  })

  test('after expiry failed the next alarm waits', async () => {
    let fails = true
    const { schedule, alarms } = scheduled({
      nextExpiry: () => NOW - 1,
      nextEmbedding: () => NOW,
      deleteExpired: () => Promise.resolve(!fails),
    })
    await schedule.run()
    expect(alarms).toEqual([NOW + RETRY_MS])
    fails = false
    await schedule.run()
    expect(alarms.at(-1)).toBe(NOW)
  })

  test.each<[string, Partial<DueWork>]>([
    ['a rebuild', { rebuildIfNeeded: () => Promise.resolve(false) }],
    ['a slice', { runSlice: () => false }],
  ])('after %s failed the next rebuild waits, and other work does not', async (name, failing) => {
    let isRebuilding = name === 'a slice'
    const { schedule, ran, alarms, clock } = scheduled({
      needsRebuild: () => true,
      isRebuilding: () => isRebuilding,
      ...failing,
    })
    await schedule.run()
    isRebuilding = false
    expect(schedule.nextDue()).toBe(NOW + RETRY_MS)
    ran.length = 0
    await schedule.run()
    expect(ran).toEqual(['expiry', 'vectors'])
    expect(alarms.at(-1)).toBe(NOW + RETRY_MS)
    clock.now = NOW + RETRY_MS
    ran.length = 0
    await schedule.run()
    expect(ran).toEqual(['expiry', 'rebuild', 'vectors'])
  })
})
