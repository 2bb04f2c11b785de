/**
 * The part of a value that could be read: members at fault are left out, at any depth, and elements at fault are undefined.
 * A whole value is readable, too.
 */
export type Readable<T> = T extends Date
  ? T
  : T extends readonly (infer E)[]
    ? readonly (Readable<E> | undefined)[]
    : T extends object
      ? { readonly [K in keyof T]?: Readable<T[K]> | undefined }
      : T;
