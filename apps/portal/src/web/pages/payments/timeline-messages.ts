import type { PaymentAnswer } from '../../client/answers.js';
import type { MessageCatalogue } from '@pos/web-ui/messages';

export const TIMELINE_MESSAGES: MessageCatalogue<PaymentAnswer['paymentEvents'][number]['eventType']> = {
  en: {
    Created: 'Created',
    Authorized: 'Authorised',
    Captured: 'Captured',
    Reversed: 'Reversed',
    Refunded: 'Refunded',
    Canceled: 'Cancelled',
    AuthChallenged: 'The payer was asked to confirm',
    Declined: 'Declined',
    ManualAuthReady: 'Ready to be authorised',
    Error: 'Failed',
    Unknown: 'No outcome yet',
  },
  de: {
    Created: 'Erstellt',
    Authorized: 'Genehmigt',
    Captured: 'Eingezogen',
    Reversed: 'Rückgängig gemacht',
    Refunded: 'Erstattet',
    Canceled: 'Storniert',
    AuthChallenged: 'Der Zahler wurde um Bestätigung gebeten',
    Declined: 'Abgelehnt',
    ManualAuthReady: 'Bereit zur Genehmigung',
    Error: 'Fehlgeschlagen',
    Unknown: 'Noch ohne Ergebnis',
  },
};

const steps = {
  ApiRequest: 'API request',
  StateChange: 'New state',
  AcquirerCall: 'Acquirer',
  MachineReport: 'Card machine',
  EposCall: 'EPOS',
  WebhookAttempt: 'Webhook',
  Succeeded: 'Done',
  Refused: 'Refused',
  Failed: 'Failed',
  took: '{ms} ms',
  attempt: 'attempt {number}',
  trace: 'Trace',
  request: 'Request',
  answer: 'Answer',
  older: 'Show older steps',
} as const;

export const STEP_MESSAGES: MessageCatalogue<keyof typeof steps> = {
  en: steps,
  de: {
    ApiRequest: 'API-Anfrage',
    StateChange: 'Neuer Zustand',
    AcquirerCall: 'Acquirer',
    MachineReport: 'Kartengerät',
    EposCall: 'Kasse',
    WebhookAttempt: 'Webhook',
    Succeeded: 'Erledigt',
    Refused: 'Abgelehnt',
    Failed: 'Fehlgeschlagen',
    took: '{ms} ms',
    attempt: 'Versuch {number}',
    trace: 'Trace',
    request: 'Anfrage',
    answer: 'Antwort',
    older: 'Ältere Schritte zeigen',
  },
};
