/** The scripted GitHub as a process of its own, so that its work is not measured as the product's or the bench's. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const SERVER = join(import.meta.dirname, '../../../test/support/github/serve.ts')

export interface ScriptedProcess {
  /** Where `ScriptedGitHub.create` makes worlds. */
  readonly address: string
  end(): void
}

export async function startScriptedProcess(): Promise<ScriptedProcess> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the scripted GitHub ended with ${code}`)))
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const url = /^export GITHUB_API_URL=(\S+)$/m.exec(text)?.[1]
      if (url !== undefined) resolve(new URL(url).origin)
    })
  })
  return { address, end: () => void child.kill() }
}
