/**
 * The tempo of each track. House texts have one tempo for all tracks, made of all
 * their tempo commands; in native texts each track has its own.
 */
import type { Tree } from '../language/ast.ts'
import type { Diagnostics } from '../language/diagnostic.ts'
import { compare } from './fraction.ts'
import type { Score, ScoreTrack } from './score.ts'
import { TempoMap } from './timing.ts'
import type { Tempo } from './timing.ts'

/** One map for each track of the score, in its order. */
export function toTempoMaps({ profile, tracks }: Pick<Score, 'profile' | 'tracks'>): TempoMap[] {
  if (profile === 'native') return tracks.map(({ tempos }) => new TempoMap(tempos))
  const shared = new TempoMap(mergeTempos(tracks))
  return tracks.map(() => shared)
}

/** All changes by position; at one position by channel, so that the later channel wins. */
function mergeTempos(tracks: readonly ScoreTrack[]): ScoreTrack['tempos'] {
  return byChannel(tracks)
    .flatMap(({ tempos }) => tempos)
    .sort((a, b) => compare(a.at, b.at))
}

function byChannel(tracks: readonly ScoreTrack[]): ScoreTrack[] {
  return tracks.toSorted((a, b) => Number(a.place) - Number(b.place))
}

/** House: warns once when two tracks set different tempos at one position. */
export function warnOfTempos({ profile }: Tree, tracks: readonly ScoreTrack[], diagnostics: Diagnostics): void {
  if (profile === 'native') return
  const owned = byChannel(tracks).flatMap((track) => track.tempos.map((change) => ({ ...change, track })))
  owned.sort((a, b) => compare(a.at, b.at))
  for (const [index, change] of owned.entries()) {
    const before = owned[index - 1]
    if (before === undefined || before.track === change.track || compare(before.at, change.at) !== 0) continue
    if (isSame(before.tempo, change.tempo)) continue
    const message = 'Two tracks set different tempos at the same moment; this one holds for all tracks.'
    diagnostics.warning('SEMANTIC_CHANNEL_MISMATCH', change.offset, message, 'Set the tempo in one track only.')
    return
  }
}

function isSame(a: Tempo, b: Tempo): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator
}
