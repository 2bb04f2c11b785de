/** The languages of the pages. */
const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Chooses the first language of the browser that the pages have; English when there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary = ''] = tag.toLowerCase().split('-');
    const language = LANGUAGES.find((candidate) => candidate === primary);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** The reader's region of a language, which decides how dates are written: `en-GB` for `en`. The language if there is none. */
export function chooseRegion(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language;
}
