import { escapeControls } from '@pos/core/refusals';

/**
 * Characters that XML cannot contain even as a reference: control characters, lone surrogates, and two noncharacters.
 */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for content and attributes of XML and HTML. A character that cannot be written, that is invisible or that
 * changes the direction of the text is shown by its number.
 */
export function escapeMarkup(text: string): string {
  return escapeControls(text)
    .replace(UNWRITABLE, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}
