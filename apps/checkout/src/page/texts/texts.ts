import { ENGLISH, type TextName } from './english.js';
import { GERMAN } from './german.js';

const CATALOGUES = { en: ENGLISH, de: GERMAN } as const;

export type Language = keyof typeof CATALOGUES;

/** The language of the texts, and the locale of amounts, dates and names of countries. */
export interface PageLocale {
  readonly language: Language;
  readonly locale: string;
}

const DEFAULT_LOCALE: PageLocale = { language: 'en', locale: 'en-GB' };
let current: PageLocale = DEFAULT_LOCALE;

/** The first of the browser's languages that the page has; English without one. */
export function chooseLocale(languages: readonly string[]): PageLocale {
  for (const locale of languages) {
    const language = locale.toLowerCase().split('-')[0];
    if ((language === 'en' || language === 'de') && isLocale(locale)) return { language, locale };
  }
  return DEFAULT_LOCALE;
}

/** Sets the language of all later texts. */
export function setLocale(chosen: PageLocale): void {
  current = chosen;
}

export function getLocale(): PageLocale {
  return current;
}

/** The text in the payer's language, with its parts in braces replaced. */
export function getText(name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return CATALOGUES[current.language][name].replaceAll(/\{(\w+)\}/g, (part, key: string) => values[key] ?? part);
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}
