import type { AcquirerCallState } from '@pos/core/acquirer-calls';
import type { TablePaymentState } from '@pos/core/tables';
import type { OrderPlacement } from '@pos/rest-contracts/orders';
import { type MessageCatalogue, useMessages } from '@pos/web-ui/messages';

type MoneyState = TablePaymentState | AcquirerCallState | OrderPlacement['status'] | 'Difference';

const en: Readonly<Record<MoneyState, string>> = {
  Unproved: 'Not proved by a card',
  Started: 'Started',
  Approved: 'Approved',
  Recording: 'Recording at the EPOS',
  RecordUnknown: 'Recorded or not: unknown',
  Recorded: 'Recorded',
  Refused: 'Refused by the EPOS',
  GivingBack: 'Returning the money',
  GivenBack: 'Money returned',
  Ended: 'Ended unpaid',
  NeedsOperator: 'Needs an operator',
  Prepared: 'Not sent yet',
  Sent: 'Sent',
  Challenged: 'Waits for the payer',
  Declined: 'Declined',
  Unknown: 'Outcome unknown',
  Settled: 'Settled',
  Waiting: 'Unpaid',
  Held: 'Money held',
  Placing: 'Sent to the EPOS',
  PlaceUnknown: 'Searching at the EPOS',
  Placed: 'At the EPOS',
  Completed: 'Done',
  Cancelling: 'Cancelling at the EPOS',
  Difference: 'Difference of the books',
};

const MONEY_STATE_MESSAGES: MessageCatalogue<MoneyState> = {
  en,
  de: {
    Unproved: 'Nicht durch eine Karte belegt',
    Started: 'Begonnen',
    Approved: 'Genehmigt',
    Recording: 'Wird in der Kasse verbucht',
    RecordUnknown: 'Verbuchung unklar',
    Recorded: 'Verbucht',
    Refused: 'Von der Kasse abgelehnt',
    GivingBack: 'Geld wird zurückgegeben',
    GivenBack: 'Geld zurückgegeben',
    Ended: 'Unbezahlt beendet',
    NeedsOperator: 'Braucht einen Betreiber',
    Prepared: 'Noch nicht gesendet',
    Sent: 'Gesendet',
    Challenged: 'Wartet auf den Zahler',
    Declined: 'Abgelehnt',
    Unknown: 'Ausgang unbekannt',
    Settled: 'Abgeschlossen',
    Waiting: 'Unbezahlt',
    Held: 'Geld reserviert',
    Placing: 'An die Kasse gesendet',
    PlaceUnknown: 'Wird in der Kasse gesucht',
    Placed: 'In der Kasse',
    Completed: 'Fertig',
    Cancelling: 'Wird in der Kasse storniert',
    Difference: 'Abweichung der Bücher',
  },
};

/** Returns the words for the state of money at a table, of an order or of a call to an acquirer. */
export function useMoneyState(): (state: string) => string {
  const text = useMessages(MONEY_STATE_MESSAGES);
  // A state of a newer release is shown by its name.
  return (state) => (isKnown(state) ? text(state) : state);
}

function isKnown(state: string): state is MoneyState {
  return Object.hasOwn(en, state);
}
