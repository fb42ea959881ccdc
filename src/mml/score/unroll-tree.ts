/**
 * Tree to score: checks every statement, then unrolls each track within the
 * size limits. The score counts only when no error was reported.
 */
import type { Track, Tree } from '../language/ast.ts'
import type { Diagnostics } from '../language/diagnostic.ts'
import { checkSize } from './check-size.ts'
import { checkTree, type CheckedTree } from './check-tree.ts'
import { compare, longest, ZERO } from './fraction.ts'
import type { Score, ScoreTrack } from './score.ts'
import { warnOfTempos } from './tempos.ts'
import { TrackWarnings } from './track-warnings.ts'
import { unrollTrack } from './unroll-track.ts'

export function unrollTree(tree: Tree, diagnostics: Diagnostics): Score {
  const checked = checkTree(tree, diagnostics)
  const sized = tree.tracks.filter((track) => checkSize(track, diagnostics))
  const unrolled = sized.map((track) => unroll(track, tree, checked, diagnostics))
  const loop = unrolled.find(({ place }) => place === 'loop')
  const tracks = unrolled.filter(({ place }) => place !== 'loop')
  const end = longest(tracks.filter(({ place }) => place !== 'sample').map((track) => track.end))
  const loopStart = loop?.end ?? null
  const at = tree.tracks.find(({ place }) => place === 'loop')?.at ?? 0
  if (loopStart && compare(loopStart, end) >= 0) {
    const message = 'The loop starts where the song already ends.'
    diagnostics.error('SEMANTIC_VALUE_OUT_OF_RANGE', at, message, 'Make track L shorter than the longest track.')
  } else if (compare(end, ZERO) === 0 && !diagnostics.hasErrors) {
    const message = 'There is nothing to play: no note and no rest.'
    diagnostics.warning('SEMANTIC_EMPTY_TRACK', tree.tracks[0]?.at ?? 0, message, EMPTY_HINTS[tree.mode])
  }
  warnOfTempos(tree, tracks, diagnostics)
  const { mode, profile } = tree
  return { mode, profile, definitions: checked.tables.toDefinitions(), tracks, loopStart, end }
}

const EMPTY_HINTS = { ppmck: 'For example: A c d e', pyxel: 'For example: 0: C D E' }

function unroll(track: Track, tree: Tree, { tables, failed }: CheckedTree, diagnostics: Diagnostics): ScoreTrack {
  const { mode, profile } = tree
  const warnings = new TrackWarnings(diagnostics, mode, profile)
  const header = (key: string) =>
    profile === 'native' ? tree.headers.find((candidate) => candidate.key === key) : undefined
  const octaveSign = Number(header('OCTAVE-REV')?.value ?? 0) === 1 ? -1 : 1
  const eighths = Math.min(255, Math.max(1, Math.floor(Number(header('GATE-DENOM')?.value ?? 8)) || 8))
  const gateDenominator = mode === 'pyxel' ? 100 : eighths
  const unrolled = unrollTrack(track, { mode, profile, tables, failed, octaveSign, gateDenominator }, warnings)
  warnings.report(track.name)
  if (track.place === 'sample') {
    const message = 'Track E plays samples, which are not supported; it is read and stays silent.'
    diagnostics.warning('SEMANTIC_UNSUPPORTED_FEATURE', track.at, message)
  }
  return unrolled
}
