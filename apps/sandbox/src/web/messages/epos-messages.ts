import { chooseLanguage, type MessageCatalogue } from '@pos/web-ui/messages';
import { EPOS_TEXTS } from './epos-texts.js';

/** A browser loads German texts only if it prefers them. */
const isGerman = chooseLanguage(navigator.languages) === 'de';
const german = isGerman ? (await import('./epos-texts-german.js')).EPOS_TEXTS_GERMAN : EPOS_TEXTS;

/** Every text of the kitchen's page. */
export const EPOS_MESSAGES: MessageCatalogue<keyof typeof EPOS_TEXTS> = { en: EPOS_TEXTS, de: german };
