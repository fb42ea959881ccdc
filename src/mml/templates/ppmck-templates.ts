/**
 * The examples in ppmck. Those with noise are native texts (tracks A to D), because
 * only there a note on the noise selects a drum; track C sounds an octave below
 * what is written.
 */
import type { TemplateName } from './template-kinds.ts'

const BASIC = `#TITLE "Harbour Morning"

; Drums, one step each 1/60 s: low, middle, high
@v0 = { 15 13 10 7 4 2 0 }
@v1 = { 13 11 9 8 6 5 4 3 2 1 0 }
@v2 = { 8 5 2 0 }

ABCD t132

; Melody
A @1 v12 q7 l8 o5
A e4 c d e4 <a4> | f4 e d c4 <a4> | g4. f e4 c4 | d4 e d <b4 g4>
A e4 c d e4 a4 | >c4 <b a f4 a4 | g4 f e d4 <b4> | <a2.> r4

; Broken chords
B @0 v7 q6 l16 o4
B [a>cec<]4 | [fa>c<a]4 | [g>cec<]4 | [gb>d<b]4
B [a>cec<]4 | [fa>c<a]4 | [gb>d<b]4 | [a>cec<]3 a4

; Bass
C l8 o3 q7
C a4 a a >a4< a a | f4 f f >f4< f f | >c4 c c >c4< c c< | g4 g g >g4< g g
C a4 a a >a4< a a | f4 f f >f4< f f | g4 g g >g4< g g | a4 e4 a4 r4

; Drums
D l8
D [@v0 b @v2 d @v1 g @v2 d @v0 b b @v1 g @v2 d]7
D @v0 b @v2 d @v1 g @v2 d @v0 b @v1 g16 g16 g4
`

const MELODY = `#TITLE "Paper Boats"

; The tune
A t104 @2 v12 q7 l8 o5
  d4 g4 f+ g a4 | b4. a g4 e4 | e g e c <b4> c4 | d4. r r d e f+
  g4 b4 a g f+4 | e4. f+ g4 b4 | >c4< b a g4 f+4 | g2. r4

; A few long notes under it
B @1 v6 q7 o4
  b2 r2 | g2 r2 | g2 r2 | f+2 r2
  b2 r2 | g2 r2 | e2 f+2 | g2. r4

T o2 q8
  g2. >d4< | e2. b4 | c2. g4 | d2. a4
  g2. >d4< | e2. b4 | c2 d2 | g2. r4

N [r1]8
`

const CHORD = `#TITLE "Lanterns"

; Top of the chords
A t100 @2 v10 q5 l8 o5
  c c r c r c c r | e e r e r e e r | d d r d r d d r | e e r e r e e r
  f f r f r f f r | f f r f r f f r | e e r e r e g e | f2. r4

; Middle of the chords
B @1 v9 q5 l8 o4
  a a r a r a a r | a a r a r a a r | b- b- r b- r b- b- r | g g r g r g g r
  a a r a r a a r | b- b- r b- r b- b- r | b- b- r b- r b- b- b- | a2. r4

; Roots
T q8 o2
  f1 | a1 | b-1 | >c1<
  d1 | b-1 | >c2 <b-4 g4 | f2. r4

N [r1]8
`

const DRUM = `#TITLE "Workshop"

@v0 = { 15 14 12 9 6 3 1 0 }
@v1 = { 14 12 10 9 8 7 6 5 4 3 2 1 0 }
@v2 = { 9 6 3 1 0 }
@v3 = { 8 8 7 7 6 6 5 5 4 4 3 3 2 2 1 1 0 }

ABCD t118

; Low b, middle g, high d and c: the first four bars are the pattern, then it is varied
D l16
D [@v0 b8 @v2 d d @v1 g8 @v2 d @v0 b @v0 b @v2 d @v0 b @v2 d @v1 g8 @v2 d d]3
D @v0 b8 @v2 d d @v1 g8 @v2 d @v0 b @v1 g g @v0 b8 @v1 g g g g
D [@v0 b8 @v2 d d @v1 g8 @v3 c8 @v0 b @v2 d @v0 b @v2 d @v1 g8 @v2 d d]3
D @v0 b8 @v1 g g @v0 b8 @v1 g g f f f+ f+ @v1 g4

; Bass
C l16 o3 q6
C [e8 r e r8 e g a8 r a b8 >d8<]3 | e8 r e r8 e g b8 a g e4
C [a8 r a r8 a >c d8< r a >e8 d8<]2 | e8 r e r8 e g a8 r a b8 >d8< | e8 e e g8 g g a8 b8 >e4<

; Riffs
A @1 v10 q6 l16 o5
A [r2 r8 e8 d <b>e8]3 | r2 b8 a g e4
A [r2 r8 a8 g e a8]2 | r2 r8 e8 d <b>e8 | e8 r8 g8 r8 a8 b8 >e4

B @0 v8 q6 l16 o4
B [r2 r8 b8 a g b8]3 | r2 >d8 c <b g4
B [r2 r8 >e8 d c e8<]2 | r2 r8 b8 a g b8 | b8 r8 >d8 r8 e8 f+8 b4
`

const EMPTY = `#TITLE "Untitled"

A r1
B r1
T r1
N r1
`

const EXPRESSIVE_LEAD = `#TITLE "Night Ferry"

; One step each sixteenth: a swell, and a decay that keeps ringing
@v0 = { 8 11 13 14 13 12 11 10 | 9 10 }
@v1 = { 13 10 8 6 5 4 | 3 }

; From thin to full
@0 = { 0 1 2 | 2 1 }

; The lead
A t92 o5 l8 q8 @v0 @@0
  e4. d c4 <b4> | c2 <a2> | d4. c <b4 a4> | <b1>
  @v1 @2 v12 e e v+1 g g v-2 f+ e d4 | @v0 @@0 e2 c2
  @v1 @2 v9 <a b v+2 > c d v+1 e4 d4 | @v0 @@0 e1

; Broken chords under it
B @1 v6 q6 l8 o4
  [a>ce<]2 a>c< | [f a>c<]2 f a | [d f a]2 d f | [e g+ b]2 e g+
  [a>ce<]2 a>c< | [f a>c<]2 f a | d f a d e g+ b e | a1

T q8 o2
  a2. e4 | f2. >c4< | d2. a4 | e2. b4
  a2. e4 | f2. >c4< | d2 e2 | a1

N [r1]8
`

const VIBRATO_LEAD = `#TITLE "Slow Orbit"

; Vibrato: after a sixteenth, a turn each thirty-second note or so, 25 cents deep
@MP0 = { 48, 24, 25, 0 }

; Bent into pitch from below: cents, one step each sixteenth
@EP0 = { -60 -20 0 | 0 }

; The lead
A t84 @2 v12 q8 l8 o5 MP0
  EP0 g2 EPOF f4 e4 | EP0 d2. EPOF r8 e | f4. e d4 c4 | EP0 e1 EPOF
  EP0 a2 EPOF g4 f4 | EP0 e2. EPOF r8 d | c4. d e4 g4 | MPOF c2 MP0 ^2

; The same line a third below, a little flat
B @1 v7 q8 l8 o5 D-8 MP0
  e2 d4 c4 | <b2.> r8 c | d4. c <b4 a4> | c1
  f2 e4 d4 | c2. r8 <b> | <a4. b > c4 e4 | <g1>

T q8 o3
  c1 | g1 | d2 f2 | c2 g2
  f1 | c1 | a2 g2 | c1

N [r1]8
`

const PITCH_MOTION = `#TITLE "Glass Stairs"

; Chords played one note after the other: semitones, one step each sixteenth
@EN0 = { 0 4 7 12 | 0 4 7 12 }
@EN1 = { 0 3 7 12 | 0 3 7 12 }

; The arpeggios
A t126 @1 v11 q8 o4
  EN0 c1 | EN1 a1 | EN0 f1 | EN0 g1
  EN0 c1 | EN1 a1 | EN0 f2 g2 | ENOF > c2. r4

; Swoops that fall, and one that rises, between plain notes
B @2 v9 q6 l8 o5
  s1,-4 g4 s0,1 e g e4 c4 | s1,-4 e4 s0,1 c e c4 <a4> | s1,-4 f4 s0,1 c f a4 f4 | s1,-4 d4 s0,1 <b> d g4 d4
  s1,-4 g4 s0,1 e g e4 c4 | s1,-4 e4 s0,1 c e a4 e4 | f4 a4 g4 b4 | s3,5 > c2 s0,1 r2

T q7 l8 o3
  c4 r c c4 g4 | <a4> r <a a4> e4 | f4 r f f4 c4 | g4 r g g4 d4
  c4 r c c4 g4 | <a4> r <a a4> e4 | f4 f4 g4 g4 | c2. r4

N [r1]8
`

export const PPMCK_TEMPLATES: Readonly<Record<TemplateName, string>> = {
  basic: BASIC,
  melody: MELODY,
  chord: CHORD,
  drum: DRUM,
  empty: EMPTY,
  expressive_lead: EXPRESSIVE_LEAD,
  vibrato_lead: VIBRATO_LEAD,
  pitch_motion: PITCH_MOTION,
}
