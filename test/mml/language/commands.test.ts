import { expect, test } from 'vitest'
import { accepts, COMMANDS, describeRange, listCommands } from '../../../src/mml/language/commands.ts'
import type { Command } from '../../../src/mml/language/commands.ts'
import { analyse, faults } from '../support/played.ts'

const LISTS = '@v1={15,9|8}\n@1={1,2}\n@EP1={5,-5}\n@EN1={0,4|7}\n@MP1={1,2,3,0}\n'

function textOf({ mode, role, example }: Command): string {
  if (mode === 'pyxel') return `0: ${example}`
  return role === 'define' ? `${example}\nA c` : `${LISTS}A ${example}`
}

const rows = COMMANDS.flatMap((command) =>
  command.profile === 'any'
    ? (['house', 'native'] as const).map((profile) => [command.mode, profile, command.name, command] as const)
    : [[command.mode, command.profile, command.name, command] as const],
)

test.each(rows)('the example of %s %s %s is valid and uses it', (mode, profile, name, command) => {
  expect(command.example).toContain(name)
  expect(faults(analyse(mode, textOf(command), { profile }))).toEqual([])
  expect(command.description).toMatch(/^[A-Z].*\.$/)
})

test.each(['ppmck', 'pyxel'] as const)('No command name occurs twice in one profile of %s.', (mode) => {
  for (const profile of ['house', 'native'] as const) {
    const names = listCommands(mode, profile).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
})

const ranged = rows.filter(
  ([, , , { form, args, effect }]) => form === 'values' && args.length > 0 && effect !== 'tone',
)

test.each(ranged)(
  'The values of %s %s %s are accepted to the ends of its range and refused beyond.',
  (mode, profile, name, command) => {
    const [range] = command.args
    if (range === undefined) throw new Error('a command without a range')
    const rest = command.args.slice(1).map(({ min, fallback }) => fallback ?? Math.max(min, 1))
    const judge = (value: number) => {
      const text = `${name}${[value, ...rest].join(',')}`
      return analyse(mode, mode === 'pyxel' ? `0: ${text} R` : `A ${text} r`, { profile })
    }
    expect(faults(judge(range.min))).toEqual([])
    expect(faults(judge(range.max))).toEqual([])
    // v-1 is another command.
    if (name !== 'v') expect(judge(range.min - 1).errors.length).toBeGreaterThan(0)
    const above = judge(range.max + 1)
    if (range.max < 2 ** 31) expect(above.errors[0]?.message).toContain(describeRange(range))
    else expect(above.errors).toEqual([])
  },
)

test('Ranges are written in words.', () => {
  expect(describeRange({ min: 0, max: 7 })).toBe('0..7')
  expect(describeRange({ min: 1, max: 2 ** 31 })).toBe('1 or more')
  expect(describeRange({ min: -7, max: 7, except: 0 })).toBe('-7..7 but 0')
  expect(describeRange({ min: -127, max: 126, also: 255 })).toBe('-127..126 or 255')
  expect([accepts({ min: 0, max: 7, also: 255 }, 255), accepts({ min: 0, max: 7, also: 255 }, 8)]).toEqual([
    true,
    false,
  ])
})
