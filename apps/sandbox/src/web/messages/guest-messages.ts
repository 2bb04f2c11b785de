import { chooseLanguage, type MessageCatalogue } from '@pos/web-ui/messages';
import { GUEST_TEXTS } from './guest-texts.js';

/** A browser loads German texts only if it prefers them. */
const isGerman = chooseLanguage(navigator.languages) === 'de';
const german = isGerman ? (await import('./guest-texts-german.js')).GUEST_TEXTS_GERMAN : GUEST_TEXTS;

/** Every text of a payer's page. */
export const GUEST_MESSAGES: MessageCatalogue<keyof typeof GUEST_TEXTS> = { en: GUEST_TEXTS, de: german };
