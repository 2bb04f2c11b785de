/**
 * The part of a value that could be read: invalid members are left out, at any depth, and invalid elements are
 * undefined. A complete value is readable, too.
 */
export type Readable<T> = T extends Date
  ? T
  : T extends readonly (infer E)[]
    ? readonly (Readable<E> | undefined)[]
    : T extends object
      ? { readonly [K in keyof T]?: Readable<T[K]> | undefined }
      : T;
