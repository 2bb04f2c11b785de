type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out members without a value: null is never written. */
export function present<T extends object>(members: T): Present<T> {
  const written = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(written) as Present<T>;
}
