import type { DeliveryState } from '@pos/core/webhooks';

/** The texts of the page of deliveries. It is rendered here, so the catalogues of the pages do not reach it. */
const en = {
  title: 'Webhook deliveries',
  endpoint: 'Receiver',
  ends: 'This page can be opened until {time}.',
  reload: 'Reload',
  none: 'There are no deliveries yet.',
  created: 'Created',
  event: 'Event',
  state: 'State',
  attempts: 'Attempts',
  next: 'Next attempt',
  answer: 'Answer',
  attempt: 'Attempt {number}',
  Pending: 'Waiting',
  Held: 'Held',
  Delivered: 'Delivered',
  DeadLettered: 'Failed for good',
  expiredTitle: 'This link has ended',
  expiredText: 'Ask for a new one.',
  invalidTitle: 'This link is not valid',
  invalidText: 'It is incomplete, was changed, or its subscription is deleted. Ask for a new one.',
} as const satisfies Record<DeliveryState, string> & Record<string, string>;

export type PageLanguage = 'en' | 'de';
export type DeliveryPageText = keyof typeof en;

export const DELIVERY_PAGE_MESSAGES: Readonly<Record<PageLanguage, Readonly<Record<DeliveryPageText, string>>>> = {
  en,
  de: {
    title: 'Zustellungen von Webhooks',
    endpoint: 'Empfänger',
    ends: 'Diese Seite lässt sich bis {time} öffnen.',
    reload: 'Neu laden',
    none: 'Es gibt noch keine Zustellungen.',
    created: 'Erstellt',
    event: 'Ereignis',
    state: 'Zustand',
    attempts: 'Versuche',
    next: 'Nächster Versuch',
    answer: 'Antwort',
    attempt: 'Versuch {number}',
    Pending: 'Wartet',
    Held: 'Zurückgehalten',
    Delivered: 'Zugestellt',
    DeadLettered: 'Endgültig gescheitert',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText: 'Bitten Sie um einen neuen.',
    invalidTitle: 'Dieser Link ist ungültig',
    invalidText: 'Er ist unvollständig, wurde verändert, oder sein Abonnement ist gelöscht. Bitten Sie um einen neuen.',
  },
};

/** The first language of the header `accept-language` that the page has; English without one. */
export function choosePageLanguage(header: string | undefined): PageLanguage {
  const primary = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return primary.find((each): each is PageLanguage => each === 'en' || each === 'de') ?? 'en';
}
