/**
 * Paths whose diffs are excluded by default, because a tool wrote the files and
 * not a person. A path is excluded when it matches any row. The binary rows only
 * spare git the work; git's own judgement finds the other binary files.
 */

interface ExcludedPath {
  readonly kind: 'lock file' | 'vendored' | 'minified' | 'generated' | 'binary'
  readonly pattern: RegExp
}

const EXCLUDED_PATHS: readonly ExcludedPath[] = [
  {
    kind: 'lock file',
    pattern:
      /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|pixi\.lock|go\.sum|go\.work\.sum|mix\.lock|rebar\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|Cartfile\.resolved|flake\.lock|gradle\.lockfile|packages\.lock\.json|paket\.lock|conan\.lock|\.terraform\.lock\.hcl|MODULE\.bazel\.lock|stack\.yaml\.lock|cabal\.project\.freeze)$/i,
  },
  {
    kind: 'vendored',
    pattern:
      /(^|\/)(node_modules|bower_components|jspm_packages|vendor|vendored|vendors|third[-_]?party|Pods|Carthage|\.yarn\/(releases|plugins|cache|sdks)|site-packages|\.bundle|Godeps\/_workspace)\//i,
  },
  { kind: 'minified', pattern: /[.-]min\.(js|mjs|cjs|css|html)$/i },
  { kind: 'minified', pattern: /\.(bundle|chunk)\.(js|mjs|css)$/i },
  { kind: 'generated', pattern: /\.(js|mjs|cjs|css)\.map$/i },
  { kind: 'generated', pattern: /(^|\/)(dist|__generated__|__snapshots__|\.next|\.nuxt|\.svelte-kit|__pycache__)\//i },
  { kind: 'generated', pattern: /\.(pb\.(go|cc|h|rs|swift|dart)|pbobjc\.[hm]|pb\.gw\.go|g\.dart|freezed\.dart)$/i },
  { kind: 'generated', pattern: /(_pb2(_grpc)?\.pyi?|_pb\.(js|ts|d\.ts|rb)|_grpc\.pb\.go|\.designer\.(cs|vb))$/i },
  { kind: 'generated', pattern: /[._-]generated\.[^/.]+$|(^|\/)zz_generated\.[^/]+$|\.gen\.(go|ts|rs)$|\.snap$/i },
  {
    kind: 'binary',
    pattern:
      /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|lib|wasm|ttf|otf|woff2?|eot|mp[34]|m4a|ogg|wav|flac|mov|avi|webm|sqlite3?|db|parquet|npy|npz|pkl|onnx|pyc)$/i,
  },
]

/** True for a path whose diff is excluded by default. */
export function isExcluded(path: string): boolean {
  return EXCLUDED_PATHS.some(({ pattern }) => pattern.test(path))
}
