/** We are wrong: a broken promise of our own code. It fails the request or the process and is never repaired silently. */
export class Defect extends Error {
  override readonly name = 'Defect';
}

/** Stops with a Defect unless the condition holds. For our own promises, never for a caller's input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Defect(message);
}

/** The value, which by our own rules must be there. */
export function requireValue<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `missing: ${what}`);
  return value;
}
