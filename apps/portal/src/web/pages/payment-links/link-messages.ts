import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  title: 'Payment links',
  intro: 'A link opens the hosted payment page. The payer enters the card there; it never passes through the portal.',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  referenceHint: 'The payer and your reports see it.',
  description: 'Description',
  capture: 'When the money is taken',
  Auto: 'At once',
  Manual: 'Later, when you capture it',
  keyed: 'The payer gives the card by phone or post',
  create: 'Create link',
  amountInvalid: 'Enter an amount such as 12.50.',
  createdTitle: 'The link is ready',
  open: 'Open the payment page',
  show: 'Show the payment',
  another: 'Create another',
} as const;

export const LINK_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    title: 'Zahlungslinks',
    intro: 'Ein Link öffnet die Zahlungsseite. Der Zahler gibt die Karte dort ein; das Portal sieht sie nie.',
    amount: 'Betrag',
    currency: 'Währung',
    reference: 'Referenz',
    referenceHint: 'Der Zahler und Ihre Berichte zeigen sie.',
    description: 'Beschreibung',
    capture: 'Wann das Geld eingezogen wird',
    Auto: 'Sofort',
    Manual: 'Später, wenn Sie es einziehen',
    keyed: 'Der Zahler nennt mir die Karte am Telefon oder per Post',
    create: 'Link erstellen',
    amountInvalid: 'Geben Sie einen Betrag ein, zum Beispiel 12,50.',
    createdTitle: 'Der Link ist bereit',
    open: 'Zahlungsseite öffnen',
    show: 'Zahlung zeigen',
    another: 'Weiteren erstellen',
  },
};
