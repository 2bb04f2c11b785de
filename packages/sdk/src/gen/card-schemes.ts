// Generated from the card schemes of the service; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

/** The names of card schemes that payers know. */
export const CARD_SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Mastercard'],
  ['MAESTRO', 'Maestro'],
  ['DISCOVER', 'Discover'],
  ['DCI', 'Diners Club'],
  ['AMEX', 'American Express'],
]);
