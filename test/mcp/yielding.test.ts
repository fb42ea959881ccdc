/** Pauses follow the work done: rare while steps are small, after each step when steps are large. */
import { expect, test } from 'vitest'
import { Yielding } from '../../src/mcp/yielding.ts'

async function pausesAfter(efforts: readonly number[]): Promise<boolean[]> {
  const yielding = new Yielding()
  const paused: boolean[] = []
  for (const effort of efforts) paused.push(await yielding.spend(effort))
  return paused
}

test('small steps pause only when their work adds up', async () => {
  expect(await pausesAfter([12_500, 12_500, 12_500, 12_500, 12_500, 12_500])).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ])
})

test('a large step pauses at once', async () => {
  expect(await pausesAfter([200_000, 200_000, 1])).toEqual([true, true, false])
})

test('a pause lets other work of the isolate run', async () => {
  let others = 0
  setTimeout(() => (others += 1), 0)
  await new Yielding().spend(60_000)
  expect(others).toBe(1)
})
