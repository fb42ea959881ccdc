import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

test('the schema is applied', async () => {
  const row = await env.DB.prepare('SELECT chunks FROM corpus').first()
  expect(row).toEqual({ chunks: 0 })
})
