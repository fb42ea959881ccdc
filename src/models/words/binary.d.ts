/** Files that the bundler passes to the Worker as bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer
  export default bytes
}
