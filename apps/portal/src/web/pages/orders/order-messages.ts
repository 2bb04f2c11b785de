import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  title: 'Orders paid in advance',
  intro:
    'An order that is paid before the EPOS has it. The money is held until the EPOS has created the order; otherwise it is returned.',
  noneTitle: 'No orders yet',
  noneText: 'An integration submits an order together with its payment, for order and pay.',
  showOperation: 'How an integration submits one',
  amount: 'Amount',
  status: 'Status',
  order: 'Order at the EPOS',
  created: 'Submitted',
  error: 'Last error',
  mayStand: 'Check the EPOS: the order may exist although its money was returned.',
} as const;

export const ORDER_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    title: 'Vorausbezahlte Bestellungen',
    intro:
      'Eine Bestellung, die bezahlt wird, bevor das Kassensystem sie hat. Das Geld wird gehalten, bis das Kassensystem sie angelegt hat; sonst wird es zurückgegeben.',
    noneTitle: 'Noch keine Bestellungen',
    noneText: 'Eine Integration sendet eine Bestellung zusammen mit ihrer Zahlung.',
    showOperation: 'Wie eine Integration eine sendet',
    amount: 'Betrag',
    status: 'Zustand',
    order: 'Bestellung in der Kasse',
    created: 'Gesendet',
    error: 'Letzter Fehler',
    mayStand: 'Prüfen Sie die Kasse: Die Bestellung kann bestehen, obwohl ihr Geld zurückgegeben wurde.',
  },
};
