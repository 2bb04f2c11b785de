import { chooseLanguage, type MessageCatalogue } from '@pos/web-ui/messages';
import { MACHINE_TEXTS } from './machine-texts.js';

/** A browser loads German texts only if it prefers them. */
const isGerman = chooseLanguage(navigator.languages) === 'de';
const german = isGerman ? (await import('./machine-texts-german.js')).MACHINE_TEXTS_GERMAN : MACHINE_TEXTS;

/** Every text of a machine's page. */
export const MACHINE_MESSAGES: MessageCatalogue<keyof typeof MACHINE_TEXTS> = { en: MACHINE_TEXTS, de: german };
