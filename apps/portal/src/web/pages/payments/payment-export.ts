import { searchPaymentIntents } from '@pos/rest-contracts/payment-intents';
import type { PaymentAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { saveText } from '../../components/save-text.js';
import { PaymentFilter } from './payment-filter.js';

const PAGE_SIZE = 100;
/** More are for reports by the API. */
const ROWS_MAX = 5_000;

const COLUMNS = ['id', 'created', 'status', 'amount', 'tips', 'refunded', 'currency', 'reference', 'source', 'card'];

/** Saves the payments of a filter as a file. The note is its last row where the file ends before the payments do. */
export async function downloadPayments(
  filter: PaymentFilter,
  { timeZone, endsEarly }: { readonly timeZone: string; readonly endsEarly: string },
): Promise<void> {
  const { before: _before, after: _after, ...whole } = filter;
  const readPage = (after: string | null): Promise<PaymentsOfPage> => {
    const page: PaymentFilter = { ...whole, ...(after !== null && { after }) };
    return callOperation(searchPaymentIntents, { body: PaymentFilter.toSearch(page, { limit: PAGE_SIZE, timeZone }) });
  };
  saveText('payments.csv', await buildPaymentsCsv(readPage, endsEarly));
}

/** A page of payments, and where the next one begins. */
export interface PaymentsOfPage {
  readonly data: readonly PaymentAnswer[];
  readonly after: string | null;
}

/**
 * All pages as rows. Amounts are minor units, so that no program rounds them. A file that is cut must not look whole: its
 * last row says so, after the most rows of a file, and after a page that could not be read.
 */
export async function buildPaymentsCsv(
  readPage: (after: string | null) => Promise<PaymentsOfPage>,
  endsEarly: string,
): Promise<string> {
  const rows: string[] = [formatRow(COLUMNS)];
  let after: string | null = null;
  do {
    // The first page is not replaced by a note: without it there is nothing to save.
    const page: PaymentsOfPage | null = await (after === null ? readPage(null) : readPage(after).catch(() => null));
    if (page === null) break;
    rows.push(...page.data.map((payment) => formatRow(listCells(payment))));
    after = page.after;
  } while (after !== null && rows.length <= ROWS_MAX);
  if (after !== null) rows.push(formatRow([endsEarly]));
  return `${rows.join('\r\n')}\r\n`;
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
