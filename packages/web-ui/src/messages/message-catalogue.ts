import type { Language } from './language.js';

/**
 * Every text of a page in every language: each language has the same keys, by its type. `{name}` is replaced by the
 * value of that name.
 */
export type MessageCatalogue<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

type MessageValues = Readonly<Record<string, string | number>>;

/** Returns the text of a key, with its values in place. */
export type Translate<Key extends string> = (key: Key, values?: MessageValues) => string;

/**
 * Creates the function that returns the texts of one language. A placeholder without a value stays as it is, so that
 * a test sees it on the page.
 */
export function createTranslate<Key extends string>(
  catalogue: MessageCatalogue<Key>,
  language: Language,
): Translate<Key> {
  const messages = catalogue[language];
  return (key, values = {}) =>
    messages[key].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      return value === undefined ? placeholder : String(value);
    });
}

/** The placeholders of a text, sorted; translations of one text must have the same. */
export function listPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}
