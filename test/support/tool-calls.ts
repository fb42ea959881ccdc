/** Calls of tools through the MCP endpoint, for tests that read only the answer or the refusal. */
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { rpc, testApp, toolCall, type TestApp } from './app.ts'

/** The structured answer, or the error of a refusal. */
export async function callTool(name: string, args: object, app: TestApp = testApp(env.DB)): Promise<any> {
  const { body } = await rpc(app, toolCall(args, name))
  expect(body.error).toBeUndefined()
  const answer = JSON.parse(body.result.content[0].text)
  if (body.result.isError !== true) expect(body.result.structuredContent).toEqual(answer)
  return answer.error ?? answer
}

/** The message of the refusal of wrong arguments. */
export async function refusedBy(name: string, args: object): Promise<string> {
  const { code, message } = await callTool(name, args)
  expect(code).toBe('VALIDATION_ERROR')
  return message
}

export function writeMessage(session_id: string, more: object = {}): Promise<any> {
  return callTool('write_message', { session_id, role: 'user', content: 'the kestrel sleeps', ...more })
}
