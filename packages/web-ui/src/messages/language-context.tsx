import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { Language } from './language.js';
import { createTranslate, type MessageCatalogue, type Translate } from './message-catalogue.js';

const LanguageContext = createContext<Language>('en');

/** Sets the language of the page: its texts, and the `lang` attribute that screen readers read. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }): ReactNode {
  document.documentElement.lang = language;
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

/** The language of the page, for formats. */
export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The texts of a catalogue in the language of the page. */
export function useMessages<Key extends string>(catalogue: MessageCatalogue<Key>): Translate<Key> {
  const language = useLanguage();
  return useMemo(() => createTranslate(catalogue, language), [catalogue, language]);
}
