/** The form of a required timestamp that has no value. */
export const noTime = '0001-01-01T00:00:00Z';

/** UTC, `Z`, three fraction digits. */
export function text(time: Date): string {
  return time.toISOString();
}

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out what has no value: null members are never written. */
export function present<T extends object>(members: T): Present<T> {
  const written = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(written) as Present<T>;
}
