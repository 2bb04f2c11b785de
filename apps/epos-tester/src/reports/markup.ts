/** What XML cannot hold even as a reference: control characters, halves of characters, and two that are none. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for content and attributes, of XML and of HTML alike. What cannot be written at all is shown by its number. */
export function escapeMarkup(text: string): string {
  return text
    .replace(UNWRITABLE, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}
