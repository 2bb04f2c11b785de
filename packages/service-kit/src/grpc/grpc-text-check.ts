import { createViolation } from '@pos/core/refusals/refusal';

/**
 * Refuses a message in which a text has a NUL, whatever the method: no database keeps one, and none is ever meant.
 * Names the member by its path.
 */
export function requireStorableText(message: unknown): void {
  const memberPath = findNulPath(message);
  if (memberPath === null) return;
  const member = memberPath.map(toProtoName).join('.');
  throw createViolation('validation_failed', member, 'must not have a NUL character');
}

/**
 * The names on the way to the first text with a NUL. They are put together on the way back only: a message has half a
 * million members at most, and next to none of them a NUL. Messages are trees, and their depth was bounded when decoded.
 */
function findNulPath(value: unknown): string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return null;
  for (const name in value) {
    const nestedPath = findNulPath((value as Readonly<Record<string, unknown>>)[name]);
    if (nestedPath !== null) return [name, ...nestedPath];
  }
  return null;
}

/** Members are named to callers as the contract spells them. */
function toProtoName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
