// Languages of the pages: translated messages, and the choice of language and region.
export { chooseLanguage, chooseRegion, type Language } from './language.js';
export type { MessageCatalogue, Translate } from './message-catalogue.js';
export { LanguageProvider, useLanguage, useMessages } from './language-context.js';
