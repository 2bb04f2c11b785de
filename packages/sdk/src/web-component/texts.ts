import { formatAmount as formatLocalAmount, type Money } from '../money/money-text.js';
import type { FlowNotice } from '../flow/flow-state.js';

/** Every text of the component in English. A part in braces is replaced by a value. */
const ENGLISH = {
  cardFrame: 'Card details',
  codeFrame: 'Security code',
  title: 'Pay {merchant}',
  close: 'Close',
  cancel: 'Cancel',
  pay: 'Pay {amount}',
  loading: 'One moment …',
  loadFailed: 'We could not be reached, and nothing was charged.',
  fieldsFailed: 'The card fields could not be loaded, and nothing was charged.',
  tryAgain: 'Try again',
  total: 'Total',
  whichCard: 'Which card',
  savedCard: '{scheme} •••• {last4}',
  expires: 'Expires {month}/{year}',
  otherCard: 'Another card',
  anyScheme: 'Card',
  saveCard: 'Save this card for my next payment',
  email: 'E-mail address',
  country: 'Country or region',
  postcode: 'Postcode',
  fieldMissing: 'Please fill in this field.',
  emailWrong: 'Please enter an e-mail address, such as name@example.com.',
  bank: 'Your bank asks for a confirmation',
  bankFrame: 'Your bank’s page',
  payment: '{amount} to {merchant}',
  payWith: 'Pay with {wallet}',
  orByCard: 'or by card',
  walletFailed: 'The wallet could not be opened, and nothing was charged. Please choose another way to pay.',
  stop: 'Stop and do not pay',
  waitingForBank: 'Waiting for your bank …',
  checking: 'Your payment is being checked',
  checkingText: 'The bank has not answered yet. Please do not pay again.',
} as const;

type TextName = keyof typeof ENGLISH;

const GERMAN: Readonly<Record<TextName, string>> = {
  cardFrame: 'Kartendaten',
  codeFrame: 'Prüfziffer',
  title: 'Zahlung an {merchant}',
  close: 'Schließen',
  cancel: 'Abbrechen',
  pay: '{amount} bezahlen',
  loading: 'Einen Moment …',
  loadFailed: 'Wir sind nicht erreichbar, und es wurde nichts abgebucht.',
  fieldsFailed: 'Die Kartenfelder konnten nicht geladen werden, und es wurde nichts abgebucht.',
  tryAgain: 'Erneut versuchen',
  total: 'Summe',
  whichCard: 'Welche Karte',
  savedCard: '{scheme} •••• {last4}',
  expires: 'Gültig bis {month}/{year}',
  otherCard: 'Andere Karte',
  anyScheme: 'Karte',
  saveCard: 'Diese Karte für meine nächste Zahlung speichern',
  email: 'E-Mail-Adresse',
  country: 'Land oder Region',
  postcode: 'Postleitzahl',
  fieldMissing: 'Bitte füllen Sie dieses Feld aus.',
  emailWrong: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  bank: 'Ihre Bank bittet um eine Bestätigung',
  bankFrame: 'Die Seite Ihrer Bank',
  payment: '{amount} an {merchant}',
  payWith: 'Mit {wallet} bezahlen',
  orByCard: 'oder mit Karte',
  walletFailed:
    'Die Wallet konnte nicht geöffnet werden, und es wurde nichts abgebucht. Bitte bezahlen Sie auf andere Weise.',
  stop: 'Abbrechen und nicht bezahlen',
  waitingForBank: 'Warten auf Ihre Bank …',
  checking: 'Ihre Zahlung wird geprüft',
  checkingText: 'Die Bank hat noch nicht geantwortet. Bitte bezahlen Sie nicht noch einmal.',
};

const ENGLISH_NOTICES: Readonly<Record<FlowNotice, string>> = {
  referred: 'Your bank asks you to call it. Nothing was charged. You can try another card.',
  declined: 'The card was declined. Nothing was charged. You can try again or use another card.',
  failed: 'The payment could not be processed. Nothing was charged. You can try again.',
  challengeFailed: 'Your bank did not confirm that it is you (3-D Secure). Nothing was charged.',
  challengeClosed: 'You closed your bank’s page before it confirmed the payment. Nothing was charged.',
  checkFields: 'Please check what you have filled in.',
  exhausted: 'There were too many tries. Please wait a while.',
  cardGone: 'This saved card cannot be used any more, and nothing was charged. Please choose another card.',
  walletRefused: 'This wallet cannot pay here, and nothing was charged. Please choose another way to pay.',
  amountChanged: 'The amount has changed, and nothing was charged. Please look at it again before you pay.',
  notPaid: 'The payment did not go through. You can try again.',
  unreachable: 'We could not be reached, and nothing was charged. Please try again.',
  closed: 'The merchant takes no payments now. Nothing was charged.',
};

const GERMAN_NOTICES: Readonly<Record<FlowNotice, string>> = {
  referred: 'Ihre Bank bittet um Ihren Anruf. Es wurde nichts abgebucht. Sie können eine andere Karte verwenden.',
  declined:
    'Die Karte wurde abgelehnt. Es wurde nichts abgebucht. Versuchen Sie es erneut oder mit einer anderen Karte.',
  failed: 'Die Zahlung konnte nicht verarbeitet werden. Es wurde nichts abgebucht. Sie können es erneut versuchen.',
  challengeFailed: 'Ihre Bank hat Sie nicht bestätigt (3-D Secure). Es wurde nichts abgebucht.',
  challengeClosed: 'Sie haben die Seite Ihrer Bank vor der Bestätigung geschlossen. Es wurde nichts abgebucht.',
  checkFields: 'Bitte prüfen Sie Ihre Eingaben.',
  exhausted: 'Es waren zu viele Versuche. Bitte warten Sie eine Weile.',
  cardGone:
    'Diese gespeicherte Karte ist nicht mehr verwendbar, und es wurde nichts abgebucht. Bitte wählen Sie eine andere.',
  walletRefused:
    'Mit dieser Wallet kann hier nicht bezahlt werden, und es wurde nichts abgebucht. Bitte bezahlen Sie auf andere Weise.',
  amountChanged: 'Der Betrag hat sich geändert, und es wurde nichts abgebucht. Bitte prüfen Sie ihn vor dem Bezahlen.',
  notPaid: 'Die Zahlung kam nicht zustande. Sie können es erneut versuchen.',
  unreachable: 'Wir sind nicht erreichbar, und es wurde nichts abgebucht. Bitte versuchen Sie es erneut.',
  closed: 'Der Händler nimmt zurzeit keine Zahlungen an. Es wurde nichts abgebucht.',
};

export type ComponentLanguage = 'en' | 'de';

/** The texts of one language. */
export interface Texts {
  readonly language: ComponentLanguage;
  /** For amounts and names of countries: `de-AT`. */
  readonly locale: string;
  readonly get: (name: TextName, values?: Readonly<Record<string, string>>) => string;
  readonly getNotice: (name: FlowNotice) => string;
}

/** The texts of the first language that there is a catalogue for; English without one. */
export function createTexts(languages: readonly string[]): Texts {
  const locale = languages.find((each) => /^(en|de)\b/i.test(each)) ?? 'en-GB';
  const language = locale.toLowerCase().startsWith('de') ? 'de' : 'en';
  const catalogue = language === 'de' ? GERMAN : ENGLISH;
  const notices = language === 'de' ? GERMAN_NOTICES : ENGLISH_NOTICES;
  return {
    ...{ language, locale },
    get: (name, values = {}) => catalogue[name].replaceAll(/\{(\w+)\}/g, (part, key: string) => values[key] ?? part),
    getNotice: (name) => notices[name],
  };
}

/** Formats minor units: `£12.50`. */
export function formatMoney(amount: Money, { locale }: Texts): string {
  return formatLocalAmount(amount, locale);
}
