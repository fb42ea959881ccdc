import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

/** `npm run soak` runs each property more often, and so needs more time. */
const soakTimes = Number(process.env['KOTODAMA_SOAK_TIMES'] ?? 1)
const shared = { testTimeout: 60_000 * soakTimes, hookTimeout: 60_000, provide: { soakTimes } }

const inFolders = (...folders: string[]): string[] => folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** Tests of folders without I/O share one runtime, because they store nothing. */
const PURE = inFolders('base', 'contracts', 'documents', 'fts', 'mml', 'ranking', 'text', 'vectors')
/** These share one runtime and its storage: each test uses message stores of its own users. */
const SHARING = inFolders('memory', 'models', 'mcp', 'http', 'features/conversations')
const ON_NODE = ['test/**/*.node.test.ts']

/** Servers on loopback that tests in the Workers runtime ask. */
const SERVERS = ['embedder', 'reranker', 'answers', 'scripted-github'].map((name) => `./test/support/${name}-server.ts`)

const workerd = () =>
  cloudflareTest(async () => ({
    remoteBindings: false,
    wrangler: { configPath: './wrangler.toml' },
    miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations('./migrations') } },
  }))

/**
 * Four projects. `workerd`: inside the Workers runtime, on real D1 with the
 * migrations applied to the storage of each file. `sharing`: in the same runtime,
 * on real Durable Objects, with one storage for all files. `pure`: folders that
 * store nothing. `node`: files named *.node.test.ts, for code that runs on Node
 * (git, scripts, the whole product).
 */
export default defineConfig({
  test: {
    // One worker for each core: much of a test's time is spent waiting for a runtime or for git.
    maxWorkers: '100%',
    projects: [
      {
        plugins: [workerd()],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: [...ON_NODE, ...PURE, ...SHARING],
          setupFiles: ['./test/support/migrate.ts'],
          globalSetup: SERVERS,
          ...shared,
        },
      },
      {
        plugins: [workerd()],
        test: { name: 'pure', include: PURE, exclude: ON_NODE, isolate: false, ...shared },
      },
      {
        plugins: [workerd()],
        test: {
          name: 'sharing',
          include: SHARING,
          isolate: false,
          setupFiles: ['./test/support/migrate.ts', './test/support/forget-settings.ts'],
          globalSetup: SERVERS,
          ...shared,
        },
      },
      {
        test: { name: 'node', include: ON_NODE, environment: 'node', ...shared },
      },
    ],
  },
})
