/** Bindings that only tests have. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../../src/worker.ts')
  }
  interface Env {
    DB: D1Database
    MESSAGES: DurableObjectNamespace
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
