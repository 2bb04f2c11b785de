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
