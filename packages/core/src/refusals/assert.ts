/** An error of our own code. It fails the request or the process and is never repaired silently. */
export class Defect extends Error {
  override readonly name = 'Defect';
}

/** Throws a Defect unless the condition holds. For conditions of our own code, never for a caller's input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Defect(message);
}

/** Returns a value that must exist by our own rules. */
export function requireValue<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `missing: ${what}`);
  return value;
}
