import { chooseLanguage, type MessageCatalogue } from '@pos/web-ui/messages';
import { START_TEXTS } from './start-texts.js';

/** A browser loads German texts only if it prefers them. */
const isGerman = chooseLanguage(navigator.languages) === 'de';
const german = isGerman ? (await import('./start-texts-german.js')).START_TEXTS_GERMAN : START_TEXTS;

/** Every text of the start page. */
export const START_MESSAGES: MessageCatalogue<keyof typeof START_TEXTS> = { en: START_TEXTS, de: german };
