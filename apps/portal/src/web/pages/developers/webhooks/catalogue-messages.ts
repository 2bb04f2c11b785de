import type { EventKind } from '@pos/core/events';
import type { EVENT_USE_CASES } from '@pos/rest-contracts/webhooks';
import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  catalogue: 'Event catalogue',
  intro:
    'Which events each kind of payment sends, as the service has sent them in a test. Requests that send none are not listed.',
  kinds: 'Kinds of events',
  kind: 'Kind',
  happens: 'Happens when',
  listed: 'Receive it by',
  inCatalogue: 'a subscription',
  onRequest: 'naming it',
  request: 'Request',
  events: 'Events, in their order',
  several: 'several',
  useCases: 'Kinds of payments',
  subscriptions: 'Subscriptions',
} as const;

export const CATALOGUE_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    catalogue: 'Ereigniskatalog',
    intro:
      'Welche Ereignisse jede Art von Zahlung sendet, so wie der Dienst sie in einem Test gesendet hat. Anfragen ohne Ereignis fehlen.',
    kinds: 'Arten von Ereignissen',
    kind: 'Art',
    happens: 'Geschieht, wenn',
    listed: 'Erhalten durch',
    inCatalogue: 'ein Abonnement',
    onRequest: 'ihre Nennung',
    request: 'Anfrage',
    events: 'Ereignisse in ihrer Reihenfolge',
    several: 'mehrere',
    useCases: 'Arten von Zahlungen',
    subscriptions: 'Abonnements',
  },
};

export const USE_CASE_MESSAGES: MessageCatalogue<(typeof EVENT_USE_CASES)[number]['key']> = {
  en: {
    refunded: 'A payment online, refunded in part',
    held: 'A hold that is captured in part',
    reversed: 'A payment that is reversed on its day',
    canceled: 'A payment that is given up',
    challenged: 'A payment with 3-D Secure',
    charged: 'A charge of a stored card',
    onMachine: 'A sale on a card machine',
    signed: 'A sale with a signature',
  },
  de: {
    refunded: 'Eine Online-Zahlung, teilweise erstattet',
    held: 'Eine Reservierung, teilweise eingezogen',
    reversed: 'Eine Zahlung, am selben Tag rückgängig gemacht',
    canceled: 'Eine Zahlung, die aufgegeben wird',
    challenged: 'Eine Zahlung mit 3-D Secure',
    charged: 'Eine Belastung einer gespeicherten Karte',
    onMachine: 'Ein Verkauf am Kartengerät',
    signed: 'Ein Verkauf mit Unterschrift',
  },
};

export const KIND_MESSAGES: MessageCatalogue<EventKind> = {
  en: {
    'payment_intent.created': 'A payment was created, by the API, in the portal or at the table.',
    'payment_intent.status_updated': 'The status of a payment has changed.',
    'payment_intent.send-receipt': 'A receipt was requested.',
    'payment_intent.amount_captured': 'Money was taken, in full or in part.',
    'payment_intent.amount_refunded': 'Money was returned, in full or in part.',
    'payment_intent.charge_failed': 'The charge of a stored card has taken no money.',
    'terminal_session.created': 'A session on a card machine was created.',
    'terminal_session.status_updated': 'A session on a card machine has another status.',
    'terminal_session.signature_verification_required': 'The cardholder has signed, and somebody must decide.',
    'terminal_session.notification': 'The card machine displays something else.',
    'reservation.updated': 'A reservation was created, changed or deleted at the EPOS.',
    'party.updated': 'A party was created, changed or deleted at the EPOS.',
  },
  de: {
    'payment_intent.created': 'Eine Zahlung wurde erstellt: durch die API, im Portal oder am Tisch.',
    'payment_intent.status_updated': 'Der Status einer Zahlung hat sich geändert.',
    'payment_intent.send-receipt': 'Ein Beleg wurde angefordert.',
    'payment_intent.amount_captured': 'Geld wurde eingezogen, ganz oder teilweise.',
    'payment_intent.amount_refunded': 'Geld wurde erstattet, ganz oder teilweise.',
    'payment_intent.charge_failed': 'Die Belastung einer gespeicherten Karte hat kein Geld eingezogen.',
    'terminal_session.created': 'Eine Sitzung am Kartengerät wurde erstellt.',
    'terminal_session.status_updated': 'Eine Sitzung am Kartengerät hat einen anderen Status.',
    'terminal_session.signature_verification_required':
      'Der Karteninhaber hat unterschrieben, und jemand muss entscheiden.',
    'terminal_session.notification': 'Das Kartengerät zeigt etwas anderes an.',
    'reservation.updated': 'Eine Reservierung wurde am Kassensystem angelegt, geändert oder gelöscht.',
    'party.updated': 'Eine Gruppe wurde am Kassensystem angelegt, geändert oder gelöscht.',
  },
};
