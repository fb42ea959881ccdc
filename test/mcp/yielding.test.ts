/** Giving way by the work that was done: rarely while it is little, after each step when it is much. */
import { expect, test } from 'vitest'
import { Yielding } from '../../src/mcp/yielding.ts'

async function gaveWay(efforts: readonly number[]): Promise<boolean[]> {
  const pace = new Yielding()
  const gave: boolean[] = []
  for (const effort of efforts) gave.push(await pace.spend(effort))
  return gave
}

test('small steps go by until they have come to something', async () => {
  expect(await gaveWay([12_500, 12_500, 12_500, 12_500, 12_500, 12_500])).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ])
})

test('after a great one it gives way at once', async () => {
  expect(await gaveWay([200_000, 200_000, 1])).toEqual([true, true, false])
})

test('others have their turn when it gives way', async () => {
  let others = 0
  setTimeout(() => (others += 1), 0)
  await new Yielding().spend(60_000)
  expect(others).toBe(1)
})
