/** The dialect in which a text is written, and the profile in which it is read. */

/** The tool's `mode`. */
export type Dialect = 'ppmck' | 'pyxel'

/** `house` is the language that the tool documents, `native` the one of the dialect's own compiler. */
export type Profile = 'house' | 'native'
