/** Query parameters that several admin routes share. Every value arrives as text. */
import * as z from 'zod'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { SURFACES } from '../../base/vocabulary.ts'
import { ACCEPTED } from '../arguments.ts'

/** A switch that is off when absent; a name without a value is on. */
export const flag = z
  .enum(['true', 'false', ''])
  .transform((text) => text !== 'false')
  .default(false)

/** A repository by its name; absent means each one. */
export const repositoryFilter = z
  .string()
  .regex(REPOSITORY_NAME)
  .register(ACCEPTED, { accepted: 'a repository, owner/name' })
  .exactOptional()

/** A surface; absent means all nine. */
export const surfaceFilter = z.enum(SURFACES).exactOptional()

/** A whole number from 1. */
export const positiveCount = z
  .string()
  .regex(/^0*[1-9]\d{0,8}$/)
  .transform(Number)
  .register(ACCEPTED, { accepted: 'a whole number, 1 or more' })
  .exactOptional()
