import type { ProblemReason } from '@pos/rest-contracts/problems';
import type { MessageCatalogue } from '@pos/web-ui/messages';
import { PAYMENT_PROBLEM_MESSAGES } from './payment-problem-messages.js';
import { REQUEST_PROBLEM_MESSAGES } from './request-problem-messages.js';
import { TABLE_PROBLEM_MESSAGES } from './table-problem-messages.js';

/** A reason of the service; unknown in the answer of another program between it and the browser. */
export type ShownReason = ProblemReason | 'unknown';

type Key = ShownReason | 'memberRefused' | 'serviceAnswer';

/**
 * Why the service refuses, for the person who works in the portal. A new reason of the service does not compile until it
 * has a text in each language.
 */
export const PROBLEM_MESSAGES: MessageCatalogue<Key> = {
  en: {
    ...REQUEST_PROBLEM_MESSAGES.en,
    ...PAYMENT_PROBLEM_MESSAGES.en,
    ...TABLE_PROBLEM_MESSAGES.en,
    unknown: 'The service has answered with an error. Look whether this was done, then try again.',
    memberRefused: 'The service does not accept this value.',
    serviceAnswer: 'Answer of the service:',
  },
  de: {
    ...REQUEST_PROBLEM_MESSAGES.de,
    ...PAYMENT_PROBLEM_MESSAGES.de,
    ...TABLE_PROBLEM_MESSAGES.de,
    unknown:
      'Der Dienst hat mit einem Fehler geantwortet. Sehen Sie nach, ob das ausgeführt wurde, und versuchen Sie es dann erneut.',
    memberRefused: 'Der Dienst nimmt diesen Wert nicht an.',
    serviceAnswer: 'Antwort des Dienstes:',
  },
};
