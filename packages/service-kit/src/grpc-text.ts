import { keyed } from '@pos/core/refusal';

/**
 * Refuses a message in which a text has a NUL, whatever the method: no database keeps one, and none is ever meant.
 * Names the member by its path.
 */
export function requireStorableText(message: unknown): void {
  const member = findNul(message, '');
  if (member !== null) throw keyed('validation_failed', member, 'must not have a NUL character');
}

/** Messages are trees, and their depth was bounded when they were decoded. */
function findNul(value: unknown, place: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? place : null;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = findNul(member, place === '' ? protoName(name) : `${place}.${protoName(name)}`);
    if (found !== null) return found;
  }
  return null;
}

/** Members are named to callers as the contract spells them. */
function protoName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
