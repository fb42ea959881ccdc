/** The songs of the bench: a usual one, and the longest and densest that the tool accepts. */

/** 60 seconds of all four channels in eighths and sixteenths. */
export const USUAL = `A t120 v12 @1 q7 l8 o5
  [c e g >c< b g e d c d e g a g e c f a >c< a g f e d g b >d< b a g f d]7 c1 g1
B v8 @2 q6 l16 o4
  [[c e g e]4 [a >c e c<]4 [f a >c< a]4 [g b >d< b]4]7 [c e g e]8
T l8 o2
  [c c >c< c c c >c< c <a a >a< a a a >a< a> f f >f< f f f >f< f g g >g< g g g >g< g]7 [c >c<]8
N v9 q4 l8
  [c r c c]60
`

export const USUAL_SECONDS = 60

/** 90 seconds, the maximum at 44,100 Hz, at the highest pitches of the two dialects. */
export const LONGEST = `0: T120 V127 Q100 L64 O7 [C G]1440
1: V127 Q100 L64 O7 [E B]1440
2: Q100 L64 O7 K12 [C G]1440
3: V127 Q100 L64 O7 [B A]1440
`

export const LONGEST_SECONDS = 90
