/** The client of the store: failed calls become refusals, and interrupted reads are repeated. */
import { describe, expect, test } from 'vitest'
import { toMemory, type StoreOperations } from '../../src/memory/memory.ts'

const interrupted = () => Object.assign(new Error('the object was reset'), { retryable: true })
const overloaded = () => Object.assign(new Error('the object is overloaded'), { overloaded: true, retryable: true })

/** A client whose stores fail with the errors in order, then answer. `users` records who was called. */
function failing(...errors: Error[]) {
  const users: string[] = []
  const answer = () => {
    const error = errors.shift()
    return error === undefined ? Promise.resolve({ ok: true, value: {} }) : Promise.reject(error)
  }
  const memory = toMemory((user) => {
    users.push(user)
    return { exportPage: answer, deleteSession: answer } as unknown as StoreOperations
  })
  return { memory, users }
}

describe('the client of the store', () => {
  test('a read that was interrupted is repeated once with a new stub', async () => {
    const { memory, users } = failing(interrupted())
    expect(await memory.exportPage('ann', 0)).toMatchObject({ ok: true })
    expect(users).toEqual(['ann', 'ann'])
    const twice = failing(interrupted(), interrupted())
    expect(await twice.memory.exportPage('ann', 0)).toMatchObject({ ok: false, failure: { code: 'IO_ERROR' } })
    expect(twice.users).toHaveLength(2)
  })

  test('a change that was interrupted is refused with IO_ERROR and not repeated', async () => {
    const { memory, users } = failing(interrupted())
    expect(await memory.deleteSession('ann', 's')).toMatchObject({ ok: false, failure: { code: 'IO_ERROR' } })
    expect(users).toHaveLength(1)
  })

  test('an overloaded store is refused with BUSY and not called again', async () => {
    const { memory, users } = failing(overloaded())
    const answer = await memory.exportPage('ann', 0)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'BUSY', retryAfterMs: 1000 } })
    expect(users).toHaveLength(1)
  })

  test('an error that is a bug is thrown', async () => {
    await expect(failing(new TypeError('a bug')).memory.exportPage('ann', 0)).rejects.toThrow('a bug')
  })
})
