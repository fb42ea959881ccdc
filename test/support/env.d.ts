/** Bindings that only tests have. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../../src/worker.ts')
  }
  interface Env {
    DB: D1Database
    MESSAGES: DurableObjectNamespace<import('../../src/memory/object.ts').MessageObject<unknown>>
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
