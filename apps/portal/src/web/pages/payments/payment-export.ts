import type { PaymentAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { searchPaymentIntents } from '../../client/endpoints.js';
import { PaymentFilter } from './payment-filter.js';

const PAGE_SIZE = 100;
/** More are for reports by the API. */
const ROWS_MAX = 5_000;

const COLUMNS = ['id', 'created', 'status', 'amount', 'tips', 'refunded', 'currency', 'reference', 'source', 'card'];

/** Saves the payments of a filter as a file, all pages of it. Amounts are minor units, so that no program rounds them. */
export async function downloadPayments(filter: PaymentFilter, timeZone: string): Promise<void> {
  const { before: _before, after: _after, ...whole } = filter;
  const rows: string[] = [formatRow(COLUMNS)];
  let after: string | null = null;
  do {
    const page: PaymentFilter = { ...whole, ...(after !== null && { after }) };
    const answer = await callOperation(searchPaymentIntents, {
      body: PaymentFilter.toSearch(page, { limit: PAGE_SIZE, timeZone }),
    });
    rows.push(...answer.data.map((payment) => formatRow(listCells(payment))));
    after = answer.after;
  } while (after !== null && rows.length <= ROWS_MAX);
  saveText('payments.csv', `${rows.join('\r\n')}\r\n`);
}

function listCells(payment: PaymentAnswer): string[] {
  const { id, createdAt, status, totalAmount, tipsAmount, refundedAmount, reference, paymentSource } = payment;
  const card = payment.paymentDetails?.card;
  return [
    ...[id, createdAt, status, String(totalAmount.value), String(tipsAmount?.value ?? 0), String(refundedAmount)],
    ...[totalAmount.currencyCode, reference, paymentSource, card?.cardNumber ?? ''],
  ];
}

/** A text that begins like a formula is one for spreadsheets, which would run it. */
const FORMULA = /^[=+\-@\t\r]/;

export function formatRow(cells: readonly string[]): string {
  return cells
    .map((cell) => {
      const safe = FORMULA.test(cell) ? `'${cell}` : cell;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
}

function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
