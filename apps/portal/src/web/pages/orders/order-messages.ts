import type { MessageCatalogue } from '@pos/web-ui/messages/message-catalogue';

const en = {
  title: 'Orders paid in advance',
  intro:
    'An order that is paid before the EPOS has it. The money is held until the EPOS has created the order; otherwise it is returned.',
  noneTitle: 'No orders yet',
  noneText: 'An integration submits an order together with its payment, for order and pay.',
  amount: 'Amount',
  status: 'Status',
  order: 'Order at the EPOS',
  created: 'Submitted',
  error: 'Last error',
  mayStand: 'Check the EPOS: the order may exist although its money was returned.',
  Waiting: 'Unpaid',
  Held: 'Money held',
  Placing: 'Sent to the EPOS',
  PlaceUnknown: 'Searching at the EPOS',
  Placed: 'At the EPOS',
  Completed: 'Done',
  Cancelling: 'Cancelling at the EPOS',
  GivingBack: 'Returning the money',
  GivenBack: 'Money returned',
  Ended: 'Ended unpaid',
  NeedsOperator: 'Needs an operator',
} as const;

export const ORDER_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    title: 'Vorausbezahlte Bestellungen',
    intro:
      'Eine Bestellung, die bezahlt wird, bevor das Kassensystem sie hat. Das Geld wird gehalten, bis das Kassensystem sie angelegt hat; sonst wird es zurückgegeben.',
    noneTitle: 'Noch keine Bestellungen',
    noneText: 'Eine Integration sendet eine Bestellung zusammen mit ihrer Zahlung.',
    amount: 'Betrag',
    status: 'Zustand',
    order: 'Bestellung in der Kasse',
    created: 'Gesendet',
    error: 'Letzter Fehler',
    mayStand: 'Prüfen Sie die Kasse: Die Bestellung kann bestehen, obwohl ihr Geld zurückgegeben wurde.',
    Waiting: 'Unbezahlt',
    Held: 'Geld gehalten',
    Placing: 'An die Kasse gesendet',
    PlaceUnknown: 'Wird in der Kasse gesucht',
    Placed: 'In der Kasse',
    Completed: 'Fertig',
    Cancelling: 'Wird in der Kasse storniert',
    GivingBack: 'Geld wird zurückgegeben',
    GivenBack: 'Geld zurückgegeben',
    Ended: 'Unbezahlt beendet',
    NeedsOperator: 'Braucht einen Betreiber',
  },
};
