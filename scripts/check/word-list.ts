/**
 * Words the project does not use, each with the field's own term. An entry is
 * a sense, not a spelling: patterns are limited to names or to prose, to some
 * folders, and to text outside listed exceptions, so that good text passes.
 * docs/glossary.md has the same pairs; a test compares the two.
 */

export interface ForbiddenWord {
  /** The words as the glossary lists them. */
  readonly not: string
  /** The term to write; also the first cell of its row in the glossary. */
  readonly use: string
  /** Alternatives of a pattern, matched as whole words and without case; a space matches blanks, a hyphen or an underscore. In comments, documents, SQL and texts. */
  readonly prose?: string
  /** The same for the names in code, split into words: `findByMeaning` is `find by meaning`. Any of the words may match. */
  readonly names?: string
  /** Parts of prose that are another sense of the word. */
  readonly except?: RegExp
  /** Names that are contracted. */
  readonly exceptNames?: readonly string[]
  /** Only in files whose path matches. */
  readonly only?: RegExp
  /** Not in files whose path matches. */
  readonly notIn?: RegExp
}

const INDEXING =
  /^(?:src|test)\/(?:index|ingest|search|memory|documents|http|features|ranking|vectors|fts)\/|^migrations\//
const RANKING = /^(?:src|test)\/(?:search|ranking|features\/search|index|settings|contracts)\/|^docs\/|^README/

export const WORD_LIST: readonly ForbiddenWord[] = [
  {
    not: 'owe, owed, owing, debt',
    use: 'pending',
    prose: 'owes?|owed|owing|debts?',
    names: 'owes?|owed|owing|debts?',
    // The name of a table in a released schema, which its upgrade step has.
    except: /owed_vectors\w*/g,
  },
  {
    not: 'settle, settled',
    use: 'process',
    prose: 'settles?|settled|settling',
    names: 'settles?|settled|settling',
    except: /`[^`\n]*\bsettled\b[^`\n]*`|"settled"|promises? (?:is|are) settled/gi,
    exceptNames: ['settled', 'allSettled'],
  },
  { not: 'pump', use: 'maintenance run', prose: 'pumps?|pumped|pumping', names: 'pumps?' },
  {
    not: 'meaning (of a search)',
    use: 'vector search',
    prose:
      "by (?:its |their |the )?meaning|meaning(?:'s)? (?:sides?|search|ranking|alone|finds?|found|share|guess(?:es)?)|words and (?:of )?meaning|meaning and (?:of )?words",
    except: /(?:in|with|has) (?:its|their|the) meaning/gi,
    notIn: /mml/,
  },
  {
    not: 'by meaning (in names)',
    use: 'semantic',
    names: 'meaning',
    only: /^(?:src|test)\/(?!contracts|documents|mcp|mml|text)/,
  },
  { not: 'lane', use: 'exact reference', prose: 'lanes?', names: 'lanes?' },
  {
    not: 'side, sided (of a search)',
    use: 'ranking',
    prose: '(?:both|each|one|either|other|two|dense|sparse|word|vector) sides?|sides|sided',
    names: 'sides?|sided',
    except: /on (?:both|either|each|one|the other) sides?|(?:both|two) sides of (?:the|a) (?:comparison|connection)/gi,
    only: RANKING,
  },
  {
    not: 'pool (of a search)',
    use: 'candidates',
    prose: 'pools?|pooled',
    names: 'pools?|pooled',
    except: /(?:thread|connection|worker) pools?|vitest-pool-workers/gi,
    notIn: /^vitest\.config|^test\/support\/env/,
  },
  {
    not: 'fresh words, the making',
    use: 'shadow index',
    prose: 'fresh (?:words|table|index|documents|rows|terms|postings)|(?:the|in the|its) making(?! of)|unfilled',
    names: 'fresh words|fresh documents|making|unfilled|fresh',
    only: INDEXING,
  },
  { not: 'in step', use: 'query batching', prose: 'in step(?! \\d)', names: 'in step' },
  {
    not: 'mark (of what was indexed)',
    use: 'version',
    prose: "(?:words|index|its|their|the|vectors'|this|that|a) marks?|\\w+_mark",
    names: 'marks?(?! )',
    except: /(?:question|quotation|byte[ _-]order|exclamation|punctuation|accent) marks?/gi,
    only: /^(?:src|test)\/(?:index|ingest|memory|documents|http|fts|features)\/|^migrations\//,
  },
  {
    not: 'put off',
    use: 'retry',
    prose: 'puts? off|putting off',
    names: 'put off',
    except: /\bput_off\b/g,
    exceptNames: ['put_off'],
  },
  {
    not: 'narrowing, narrowed by',
    use: 'filter',
    prose: 'narrowings?|narrowed by',
    names: 'narrow(?:ing|ings|ed)',
    except: /type narrowing/gi,
    notIn: /mml/,
  },
  { not: 'room (of code)', use: 'folder', prose: 'rooms', names: 'rooms' },
  { not: 'room (for text)', use: 'response budget', prose: 'room', names: 'room' },
  {
    not: 'piece',
    use: 'chunk or part',
    prose: 'pieces?',
    names: 'pieces?',
    except: /pieces? of music|musical pieces?|RENAME COLUMN pieces?/gi,
  },
  {
    not: 'signature (of tokens)',
    use: 'Bloom filter',
    prose: 'signatures?',
    names: 'signatures?',
    except: /(?:webhook|time|key|gpg|pgp|ssh|function|type|request|hmac|commit's) signatures?|signature checks?/gi,
    only: /^(?:src|test)\/(?:index|vectors|search|documents|features)\/|^docs\/(?!mml)|^migrations\//,
  },
  {
    not: 'facts',
    use: 'filter attributes',
    prose: 'facts',
    names: 'facts?',
    only: /^(?:src|test)\/(?:index|vectors|search|documents)\/|^docs\/|^migrations\//,
  },
  { not: 'stretch', use: 'range', prose: 'stretch(?:es)?', names: 'stretch(?:es)?' },
  {
    not: 'pair (of characters)',
    use: 'bigram',
    prose: 'pairs? of (?:adjacent |two )?(?:characters|letters|kana|signs)|(?:character|letter|cjk|kana|han) pairs?',
  },
  {
    not: 'pairs (in names)',
    use: 'bigrams',
    names: 'pairs?',
    only: /^src\/(?:text|fts|index\/words|memory)\//,
  },
  { not: 'beginnings', use: 'prefix', prose: 'beginnings', names: 'beginnings?' },
  { not: 'referent', use: 'entity', prose: 'referents?', names: 'referents?' },
  { not: 'telling', use: 'informative', prose: 'telling', names: 'telling' },
  {
    not: 'lend, lent',
    use: 'expansion term',
    prose: 'lends?|lent|lending',
    names: 'lends?|lent',
    except: /lend lent/g,
  },
  { not: 'likeness', use: 'similarity', prose: 'likeness(?:es)?', names: 'likeness(?:es)?' },
  {
    not: 'doomed, entomb',
    use: 'purge',
    prose: 'doom|doomed|entomb(?:s|ed|ing)?',
    names: 'doom|doomed|entomb(?:s|ed)?',
  },
  { not: 'asked (in names), wish', use: 'request', prose: 'wish(?:es)?|wished', names: 'asked|wish(?:es)?' },
  {
    not: 'tell, told',
    use: 'report',
    prose: 'tells?|told',
    names: '(?:tells?|told)',
    notIn: /^src\/text\/terms\/irregular/,
  },
  {
    not: 'turn (of a lock)',
    use: 'mutex',
    prose:
      '(?:waits?|waiting) (?:for )?(?:its|their|a|the) turns?|takes? turns|takes? (?:its|a|the) turn|by turns|the turn',
    names: 'turns?',
    except: /(?:conversation|user|assistant|conversation's) turns?/gi,
    only: /^(?:src|test)\/mcp\/|^docs\/(?!mml|design\/conv|memory)/,
  },
  { not: 'pace', use: 'yielding', prose: 'paces?|paced', names: 'pac(?:e|es|ed|ing)' },
  { not: 'outbox', use: 'splice', prose: 'outbox(?:es)?', names: 'outbox' },
  { not: 'sink', use: 'visitor', prose: 'sinks?', except: /sink sank sunk/g, names: 'sinks?' },
  { not: 'scan (of a text)', use: 'tokenizer', names: 'scan(?:s|ned|ner)?', only: /^src\/text\// },
  { not: 'seal', use: 'digest', prose: 'seals?|sealed|sealing', names: 'seal(?:s|ed)?' },
  {
    not: 'left out, leave out',
    use: 'excluded, omitted',
    prose: 'left out|leaves? out|leaving out',
    names: 'left out',
  },
  { not: 'whoever, whatever, nobody', use: 'any, no one, or a noun', prose: 'whoever|whatever|whomever|nobody' },
  { not: 'anew', use: 'again', prose: 'anew' },
  { not: 'for the sake of', use: 'for', prose: 'for the sake of' },
  { not: 'holds up', use: 'blocks', prose: 'holds? up|held up' },
  {
    not: 'house, river (as figures)',
    use: 'project',
    prose: 'house|rivers?',
    except: /in-house|house (?:profile|text|noise|lists?|or native)/gi,
    notIn: /mml|music|compose|sound|contracts|render/,
  },
]
