import { createViolation } from '@pos/core/refusals';

/**
 * Refuses a message with a NUL in a text, for every method, because PostgreSQL cannot store it. Names the member by its
 * path.
 */
export function requireStorableText(message: unknown): void {
  const memberPath = findNulPath(message);
  if (memberPath === null) return;
  const member = memberPath.map(toProtoName).join('.');
  throw createViolation('validation_failed', member, 'must not have a NUL character');
}

/**
 * The path to the first text with a NUL. The names are joined only when one is found: a message has up to half a
 * million members, almost none with a NUL. Messages are trees, and their depth was limited when they were decoded.
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

/** Spells members as the contract does. */
function toProtoName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
