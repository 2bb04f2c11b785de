import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  unknownMembers: 'Unknown members',
  strict: 'refused',
  lenient: 'ignored',
  makeStrict: 'Refuse unknown members',
  makeLenient: 'Ignore unknown members',
  makeStrictOf: 'Refuse unknown members: {label}',
  makeLenientOf: 'Ignore unknown members: {label}',
  makeStrictText:
    'From now on, requests of {label} that move money are refused if they have a member that the service does not know, such as a misspelt one. Look in the log of its program first: the header “warnings” has named such members.',
  makeLenientText:
    'From now on, requests of {label} that move money are accepted with members that the service does not know. A misspelt member then has no effect; the header “warnings” of the answer names it.',
  cancel: 'Cancel',
} as const;

export const KEY_STRICTNESS_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    unknownMembers: 'Unbekannte Felder',
    strict: 'abgelehnt',
    lenient: 'übergangen',
    makeStrict: 'Unbekannte Felder ablehnen',
    makeLenient: 'Unbekannte Felder übergehen',
    makeStrictOf: 'Unbekannte Felder ablehnen: {label}',
    makeLenientOf: 'Unbekannte Felder übergehen: {label}',
    makeStrictText:
      'Ab jetzt werden Anfragen von {label}, die Geld bewegen, abgelehnt, wenn sie ein Feld haben, das der Dienst nicht kennt, etwa ein falsch geschriebenes. Sehen Sie zuerst im Protokoll des Programms nach: Der Kopf „warnings“ hat solche Felder genannt.',
    makeLenientText:
      'Ab jetzt werden Anfragen von {label}, die Geld bewegen, auch mit Feldern angenommen, die der Dienst nicht kennt. Ein falsch geschriebenes Feld hat dann keine Wirkung; der Kopf „warnings“ der Antwort nennt es.',
    cancel: 'Abbrechen',
  },
};
