import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

/** `npm run soak` asks for more runs of each property, and so for more time. */
const soakTimes = Number(process.env['KOTODAMA_SOAK_TIMES'] ?? 1)
const shared = { testTimeout: 60_000 * soakTimes, hookTimeout: 60_000, provide: { soakTimes } }

/**
 * Two projects. `workerd`: inside the Workers runtime, on real D1 with the
 * migrations applied to each file's own storage. `node`: what runs on a
 * machine (git, scripts, whole-product journeys), files named *.node.test.ts.
 */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            remoteBindings: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations('./migrations') } },
          })),
        ],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.node.test.ts'],
          setupFiles: ['./test/support/migrate.ts'],
          ...shared,
        },
      },
      {
        test: { name: 'node', include: ['test/**/*.node.test.ts'], environment: 'node', ...shared },
      },
    ],
  },
})
