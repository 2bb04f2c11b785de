// Written by `reference-build/reference-plugin.ts`.
declare module 'virtual:reference-indexes' {
  /** The address of the index of each release. */
  export const INDEXES: Readonly<Record<string, string>>;
}
