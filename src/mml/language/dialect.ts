/** How a text is written and read: one of two dialects, in one of two profiles. */

/** The tool's `mode`. */
export type Dialect = 'ppmck' | 'pyxel'

/** `house` is the language that the tool documents, `native` the one of the dialect's own compiler. */
export type Profile = 'house' | 'native'
