/** The product as it is, and beside it the raw cost of its samples at `/fill?samples=N`. Only the bench runs it. */
import product from '../../../src/worker.ts'
import { fillAndEncode } from './raw.ts'

export { MessageStore } from '../../../src/worker.ts'

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/fill') return product.fetch(request, env)
    return Response.json(fillAndEncode(Number(searchParams.get('samples')), 44_100))
  },
} satisfies ExportedHandler<Parameters<typeof product.fetch>[1]>
