/**
 * The examples in pyxel. Volumes go to 127 and gates to 100; the pitch of the noise
 * follows the note, so low notes are low drums.
 */
import type { TemplateName } from './template-kinds.ts'

const BASIC = `0: T132 V100 @2 L8 Q88 O5
  E4 C D E4 <A4> | F4 E D C4 <A4> | G4. F E4 C4 | D4 E D <B4 G4>
  E4 C D E4 A4 | >C4 <B A F4 A4 | G4 F E D4 <B4> | <A2.> R4

1: V58 @2 L16 Q60 O4
  [A>CEC<]4 | [FA>C<A]4 | [G>CEC<]4 | [GB>D<B]4
  [A>CEC<]4 | [FA>C<A]4 | [GB>D<B]4 | [A>CEC<]3 A4

2: L8 Q88 O2
  A4 A A >A4< A A | F4 F F >F4< F F | >C4 C C >C4< C C< | G4 G G >G4< G G
  A4 A A >A4< A A | F4 F F >F4< F F | G4 G G >G4< G G | A4 E4 A4 R4

3: V110 L8 Q40
  [O2 C O7 C O5 C O7 C O2 C C O5 C O7 C]7
  O2 C O7 C O5 C O7 C O2 C O5 C16 C16 C4
`

const MELODY = `0: T104 V100 @1 L8 Q88 O5
  D4 G4 F+ G A4 | B4. A G4 E4 | E G E C <B4> C4 | D4. R R D E F+
  G4 B4 A G F+4 | E4. F+ G4 B4 | >C4< B A G4 F+4 | G2. R4

1: V50 @2 Q88 O4
  B2 R2 | G2 R2 | G2 R2 | F+2 R2
  B2 R2 | G2 R2 | E2 F+2 | G2. R4

2: Q100 O2
  G2. >D4< | E2. B4 | C2. G4 | D2. A4
  G2. >D4< | E2. B4 | C2 D2 | G2. R4

3: [R1]8
`

const CHORD = `0: T100 V84 @1 L8 Q62 O5
  C C R C R C C R | E E R E R E E R | D D R D R D D R | E E R E R E E R
  F F R F R F F R | F F R F R F F R | E E R E R E G E | F2. R4

1: V76 @2 L8 Q62 O4
  A A R A R A A R | A A R A R A A R | B- B- R B- R B- B- R | G G R G R G G R
  A A R A R A A R | B- B- R B- R B- B- R | B- B- R B- R B- B- B- | A2. R4

2: Q100 O2
  F1 | A1 | B-1 | >C1<
  D1 | B-1 | >C2 <B-4 G4 | F2. R4

3: [R1]8
`

const DRUM = `3: T118 V120 L16 Q50
  [O2 C8 O7 C C O5 C8 O7 C O2 C C O7 C O2 C O7 C O5 C8 O7 C C]3
  O2 C8 O7 C C O5 C8 O7 C O2 C O5 C C O2 C8 O5 C C C C
  [O2 C8 O7 C C O5 C8 O7 Q100 C8 Q50 O2 C O7 C O2 C O7 C O5 C8 O7 C C]3
  O2 C8 O5 C C O2 C8 O5 C C O4 C C C C O5 C4

2: L16 Q75 O2
  [E8 R E R8 E G A8 R A B8 >D8<]3 | E8 R E R8 E G B8 A G E4
  [A8 R A R8 A >C D8< R A >E8 D8<]2 | E8 R E R8 E G A8 R A B8 >D8< | E8 E E G8 G G A8 B8 >E4<

0: V84 @2 L16 Q75 O5
  [R2 R8 E8 D <B>E8]3 | R2 B8 A G E4
  [R2 R8 A8 G E A8]2 | R2 R8 E8 D <B>E8 | E8 R8 G8 R8 A8 B8 >E4

1: V68 @2 L16 Q75 O4
  [R2 R8 B8 A G B8]3 | R2 >D8 C <B G4
  [R2 R8 >E8 D C E8<]2 | R2 R8 B8 A G B8 | B8 R8 >D8 R8 E8 F+8 B4
`

const EMPTY = `0: R1
1: R1
2: R1
3: R1
`

const EXPRESSIVE_LEAD = `0: T92 V110 @2 L8 Q100 O5
  @ENV1 60 0 110 72 76 120
  E4. D C4 <B4> | C2 <A2> | D4. C <B4 A4> | <B1>
  @ENV2 120 0 60 96 30 96
  @1 E E G G F+ E D4 | @2 @ENV1 E2 C2 | @1 @ENV2 <A B > C D E4 D4 | @2 @ENV1 E1

1: V50 @2 L8 Q75 O4
  [A>CE<]2 A>C< | [F A>C<]2 F A | [D F A]2 D F | [E G+ B]2 E G+
  [A>CE<]2 A>C< | [F A>C<]2 F A | D F A D E G+ B E | A1

2: Q100 O2
  A2. E4 | F2. >C4< | D2. A4 | E2. B4
  A2. E4 | F2. >C4< | D2 E2 | A1

3: [R1]8
`

const VIBRATO_LEAD = `0: T84 V100 @1 L8 Q100 O5
  @VIB1 48 32 25 @GLI1 60 24
  G2 @GLI0 F4 E4 | @GLI1 D2. @GLI0 R8 E | F4. E D4 C4 | @GLI1 E1 @GLI0
  @GLI1 A2 @GLI0 G4 F4 | @GLI1 E2. @GLI0 R8 D | C4. D E4 G4 | C1

1: V58 @1 L8 Q100 O5 Y-8
  @VIB2 72 36 20
  E2 D4 C4 | <B2.> R8 C | D4. C <B4 A4> | C1
  F2 E4 D4 | C2. R8 <B> | <A4. B > C4 E4 | <G1>

2: Q100 O3
  C1 | G1 | D2 F2 | C2 G2
  F1 | C1 | A2 G2 | C1

3: [R1]8
`

const PITCH_MOTION = `0: T126 V90 @2 L16 Q90 O4
  [C E G >C<]4 | [A >C E A<]4 | [F A >C F<]4 | [G B >D G<]4
  K12 [C E G >C<]4 | [A >C E A<]4 | [F A >C F<]2 [G B >D G<]2 K0 | >C2. R4

1: V76 @1 L8 Q75 O5
  @GLI1 700 30 G4 @GLI0 E G E4 C4 | @GLI1 E4 @GLI0 C E C4 <A4>
  @GLI1 F4 @GLI0 C F A4 F4 | @GLI1 D4 @GLI0 <B> D G4 D4
  @GLI1 G4 @GLI0 E G E4 C4 | @GLI1 E4 @GLI0 C E A4 E4
  F4 A4 G4 B4 | @GLI2 1200 96 >C2 @GLI0 R2

2: L8 Q88 O3
  C4 R C C4 G4 | <A4> R <A A4> E4 | F4 R F F4 C4 | G4 R G G4 D4
  C4 R C C4 G4 | <A4> R <A A4> E4 | F4 F4 G4 G4 | C2. R4

3: [R1]8
`

export const PYXEL_TEMPLATES: Readonly<Record<TemplateName, string>> = {
  basic: BASIC,
  melody: MELODY,
  chord: CHORD,
  drum: DRUM,
  empty: EMPTY,
  expressive_lead: EXPRESSIVE_LEAD,
  vibrato_lead: VIBRATO_LEAD,
  pitch_motion: PITCH_MOTION,
}
