/**
 * The next page of a list by its Link header. A header that names a next page
 * which cannot be asked for is a problem, never the end of the list.
 */
import { isWithin, resolveAddress } from './address.ts'

type NextPage = { readonly next: string | undefined } | { readonly problem: string }

/** `address` is the page that was answered, `api` the address that all pages belong to. */
export function findNextPage(link: string | null, address: string, api: string): NextPage {
  for (const entry of (link ?? '').matchAll(/<([^<>]*)>([^<>]*)/g)) {
    const [, reference = '', parameters = ''] = entry
    if (!isNext(parameters)) continue
    const next = resolveAddress(reference, address)
    if (next === undefined || !isWithin(api, next)) return { problem: 'the next page of a list is not on the API' }
    if (next === address) return { problem: 'the next page of a list is the page itself' }
    return { next }
  }
  return { next: undefined }
}

/** True when one of the relations is `next`; they are separated by blanks, quoted or not. */
function isNext(parameters: string): boolean {
  const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i.exec(parameters)
  const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/)
  return names.includes('next')
}
