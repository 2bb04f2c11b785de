// Amounts, times and card schemes as pages show them and as people enter them.
export { formatInputAmount, formatMoney, parseAmount } from './format-money.js';
export { formatMoment } from './format-time.js';
export { formatLastDigits, nameScheme, SCHEME_NAMES } from './card-schemes.js';
