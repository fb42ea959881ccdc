/** The product's Worker with one more route, `/fill?samples=N`, for the raw cost of samples. Only the bench runs it. */
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
