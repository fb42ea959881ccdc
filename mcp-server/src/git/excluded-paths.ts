/**
 * Files whose diffs are excluded by default, because a tool wrote them and not a
 * person. Three things say so, the first that speaks decides: the attributes that
 * HEAD's tree commits, the name of a file that only tools write, and the files
 * that a package manager leaves in a folder of its own. The name of a folder such
 * as `vendor` or `dist` says nothing: people keep their own code there.
 */
import type { PathAttributes } from './attributes/attribute-rules.ts'

export type ExcludedKind = 'lock file' | 'vendored' | 'minified' | 'generated' | 'binary'

export interface Exclusion {
  readonly kind: ExcludedKind
  /** For a summary: the file, or the folder of a package manager. */
  readonly name: string
}

/** The attributes that decide. */
export const EXCLUSION_ATTRIBUTES = ['diff', 'linguist-generated', 'linguist-vendored'] as const

interface NameRule {
  readonly kind: ExcludedKind
  /** Matches the whole name of the file, or a folder up to its slash. */
  readonly pattern: RegExp
}

/** File names and endings that a tool gives, and folders whose names belong to one tool. Letter case counts in folders. */
const NAMES: readonly NameRule[] = [
  {
    kind: 'lock file',
    pattern:
      /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|pixi\.lock|go\.sum|go\.work\.sum|mix\.lock|rebar\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|Cartfile\.resolved|flake\.lock|gradle\.lockfile|packages\.lock\.json|paket\.lock|conan\.lock|\.terraform\.lock\.hcl|MODULE\.bazel\.lock|stack\.yaml\.lock|cabal\.project\.freeze)$/i,
  },
  {
    kind: 'vendored',
    pattern:
      /^(.*\/)?(node_modules|bower_components|jspm_packages|site-packages|Carthage\/(Build|Checkouts)|\.yarn\/(releases|plugins|cache|sdks|unplugged)|Godeps\/_workspace|vendor\/bundle\/ruby)\//,
  },
  // Go names the folder of a module after the host it comes from.
  { kind: 'vendored', pattern: /^(.*\/)?vendor\/([0-9A-Za-z][-0-9A-Za-z]*\.)+(com|dev|edu|fm|gov|in|io|me|net|org)\// },
  { kind: 'minified', pattern: /[.-]min\.(js|mjs|cjs|css|html)$/i },
  { kind: 'minified', pattern: /\.(bundle|chunk)\.(js|mjs|css)$/i },
  { kind: 'generated', pattern: /\.(js|mjs|cjs|css)\.map$|(^|\/)\.pnp\.[cm]?js$/i },
  { kind: 'generated', pattern: /^(.*\/)?(__generated__|\.next|\.nuxt|\.svelte-kit|__pycache__)\// },
  { kind: 'generated', pattern: /\.(pb\.(go|cc|h|rs|swift|dart)|pbobjc\.[hm]|pb\.gw\.go|g\.dart|freezed\.dart)$/i },
  { kind: 'generated', pattern: /(_pb2(_grpc)?\.pyi?|_pb\.(js|ts|d\.ts|rb)|_grpc\.pb\.go|\.designer\.(cs|vb))$/i },
  { kind: 'generated', pattern: /[._-]generated\.[^/.]+$|(^|\/)zz_generated\.[^/]+$|\.gen\.(go|ts|rs)$|\.snap$/i },
  // Git finds other binary files by their contents; these may be text by chance, and are of no use then.
  {
    kind: 'binary',
    pattern:
      /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|wasm|ttf|otf|woff2?|eot|mp[34]|m4a|ogg|wav|flac|mov|avi|webm|sqlite3?|db|parquet|npy|npz|onnx|pyc)$/i,
  },
]

/** Files that a package manager writes into the folder it fills; the first group is that folder. */
const PACKAGE_FILES: readonly RegExp[] = [
  // Go, and govendor before it.
  /^((?:.*\/)?vendor\/)(?:modules\.txt|vendor\.json)$/,
  // Composer, whose folder may have any name.
  /^((?:.*\/)?vendor\/)autoload\.php$/,
  /^((?:.*\/)?[^/]+\/)composer\/autoload_real\.php$/,
  // `cargo vendor`: one file in each crate.
  /^((?:.*\/)?[^/]+\/)\.cargo-checksum\.json$/,
  // CocoaPods.
  /^((?:.*\/)?Pods\/)Manifest\.lock$/,
  // Python's `vendoring`.
  /^((?:.*\/)?_?vendor\/)vendor\.txt$/,
]

/** The folder, with its slash, that a package manager fills, when the path is the file that shows it. */
export function packageFolderOf(path: string): string | undefined {
  for (const pattern of PACKAGE_FILES) {
    const folder = pattern.exec(path)?.[1]
    if (folder !== undefined) return folder
  }
  return undefined
}

/** Undefined for a path whose diffs are read. */
export function findExclusion(
  path: string,
  attributes: PathAttributes,
  packageFolders: ReadonlySet<string>,
): Exclusion | undefined {
  if (flagOf(attributes, 'linguist-generated') === true) return { kind: 'generated', name: path }
  if (flagOf(attributes, 'linguist-vendored') === true) return { kind: 'vendored', name: path }
  if (attributes.get('diff') === false) return { kind: 'binary', name: path }
  const rules = [findByName, (named: string) => findByFolder(named, packageFolders)]
  for (const rule of rules) {
    const found = rule(path)
    if (found !== undefined && !isDenied(found.kind, attributes)) return found
  }
  return undefined
}

/** Whether the attributes deny what the name of a file says. */
function isDenied(kind: ExcludedKind, attributes: PathAttributes): boolean {
  if (kind === 'vendored') return flagOf(attributes, 'linguist-vendored') === false
  if (kind === 'binary') return attributes.has('diff')
  return flagOf(attributes, 'linguist-generated') === false
}

function flagOf(attributes: PathAttributes, name: string): boolean | undefined {
  const value = attributes.get(name)
  if (typeof value !== 'string') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

function findByName(path: string): Exclusion | undefined {
  for (const { kind, pattern } of NAMES) {
    const [match] = pattern.exec(path) ?? []
    // A rule for folders matches up to the slash.
    if (match !== undefined) return { kind, name: match.endsWith('/') ? match : path }
  }
  return undefined
}

function findByFolder(path: string, packageFolders: ReadonlySet<string>): Exclusion | undefined {
  if (packageFolders.size === 0) return undefined
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at + 1)
    if (packageFolders.has(folder)) return { kind: 'vendored', name: folder }
  }
  return undefined
}
