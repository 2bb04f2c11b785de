// Amounts have the decimals of ISO 4217 on every page; the tables of browsers differ.
export { formatInputAmount, formatMoney, parseAmount } from '@pos/core/money';
