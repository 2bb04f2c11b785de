/**
 * Writes invisible characters as escapes: those that a terminal obeys, and those that change the direction or the order
 * of what a person reads. Texts of the service, of partners and of payers contain any. Line breaks and tabs stay. The
 * escapes are those of JSON, so that a line of JSON keeps its value.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

/** Direction marks, embeddings, overrides and isolates. Joiners stay: scripts and emoji are spelled with them. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Leaves out of a name what a display obeys instead of showing it: control characters, and characters that change the
 * direction of the text after them, with which a name may read as another one. Line breaks and tabs stay.
 */
export function removeControls(text: string): string {
  return text.replaceAll(UNSAFE, '');
}
