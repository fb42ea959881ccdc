/** A row of the settings table: what a setting means and how its text is parsed. */

export interface Setting {
  readonly name: string
  /** How it is set: a plain variable, a secret, or a binding to a resource. */
  readonly kind: 'variable' | 'secret' | 'binding'
  /** The effect of an absent setting, in words. */
  readonly whenAbsent: string
  /** The value of an absent setting, where it has one. */
  readonly fallback?: unknown
  /** The modes in which it has an effect. */
  readonly modes: string
  readonly meaning: string
  /** The sentence for the caller or operator when the value is wrong, or missing where one is needed. */
  readonly whenWrong: string
  /** The value of a text that is not empty; undefined when the text is wrong. Bindings have no text. */
  readonly parse?: (text: string) => unknown
}
