import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

/** `npm run soak` asks for more runs of each property, and so for more time. */
const soakTimes = Number(process.env['KOTODAMA_SOAK_TIMES'] ?? 1)
const shared = { testTimeout: 60_000 * soakTimes, hookTimeout: 60_000, provide: { soakTimes } }

/** Tests of rooms without I/O: they share one runtime, since none leaves anything behind. */
const PURE = ['base', 'contracts', 'documents', 'fts', 'mml', 'ranking', 'text', 'vectors'].map(
  (room) => `test/${room}/**/*.test.ts`,
)
/** Tests that share one runtime too: each store of messages is a user's of its own, and doors and models keep nothing. */
const SHARING = ['memory', 'models', 'mcp', 'http', 'features/conversations'].map((room) => `test/${room}/**/*.test.ts`)
const ON_A_MACHINE = ['test/**/*.node.test.ts']

const workerd = () =>
  cloudflareTest(async () => ({
    remoteBindings: false,
    wrangler: { configPath: './wrangler.toml' },
    miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations('./migrations') } },
  }))

/**
 * Four projects. `workerd`: inside the Workers runtime, on real D1 with the
 * migrations applied to each file's own storage. `sharing`: in the same runtime,
 * on real Durable Objects, one storage for all files. `pure`: rooms that store
 * nothing. `node`: what runs on a machine (git, scripts, whole-product
 * journeys), files named *.node.test.ts.
 */
export default defineConfig({
  test: {
    // One worker a core: much of a test's time is spent waiting for a runtime or for git.
    maxWorkers: '100%',
    projects: [
      {
        plugins: [workerd()],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: [...ON_A_MACHINE, ...PURE, ...SHARING],
          setupFiles: ['./test/support/migrate.ts'],
          globalSetup: ['./test/support/embedder-server.ts', './test/support/reranker-server.ts'],
          ...shared,
        },
      },
      {
        plugins: [workerd()],
        test: { name: 'pure', include: PURE, exclude: ON_A_MACHINE, isolate: false, ...shared },
      },
      {
        plugins: [workerd()],
        test: {
          name: 'sharing',
          include: SHARING,
          isolate: false,
          setupFiles: ['./test/support/migrate.ts'],
          globalSetup: ['./test/support/embedder-server.ts', './test/support/reranker-server.ts'],
          ...shared,
        },
      },
      {
        test: { name: 'node', include: ON_A_MACHINE, environment: 'node', ...shared },
      },
    ],
  },
})
