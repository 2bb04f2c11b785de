import { type Bill as CheckedBill, type BillViolationKind, checkBill } from '@pos/core/tables';
import { type Bill, type FullBill, type Session, type Table, TableStatus } from '@pos/grpc-contracts/tables';
import type { ClauseId } from '../checks/clauses.js';
import type { OpenStep } from '@pos/conformance/checks';
import type { StepContext } from './flow-context.js';

/** Path of the member in the answer: `sessions[2]`. */
type CheckContext = string;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEPARATOR = ' - ';

/** Checks every clause about a session. */
export function checkSession(step: OpenStep, session: Session, at: CheckContext): void {
  const { id, name, tableName, createdAt, finishedAt, isPayable } = session;
  step.check(UUID.test(id), { clause: 'session.id', member: `${at}.id`, expected: 'a UUID', found: id });
  step.check(name.trim() !== '', { clause: 'session.name', member: `${at}.name`, expected: 'a name', found: name });
  step.check(tableName === undefined || (tableName !== '' && !tableName.includes(SEPARATOR)), {
    clause: 'session.table-name',
    member: `${at}.tableName`,
    expected: `a name without "${SEPARATOR}", or nothing`,
    found: tableName,
  });
  if (finishedAt === undefined) return;
  step.check(createdAt === undefined || finishedAt >= createdAt, {
    clause: 'session.times',
    member: `${at}.finishedAt`,
    expected: `${createdAt?.toISOString() ?? 'createdAt'} or later`,
    found: finishedAt.toISOString(),
  });
  step.check(!isPayable, {
    clause: 'session.payable',
    member: `${at}.isPayable`,
    expected: 'false, for the session is finished',
    found: isPayable,
  });
}

/** Checks every clause about a table. */
export function checkTable(step: OpenStep, { name, maxCovers, status }: Table, at: CheckContext): void {
  step.check(name.trim() !== '' && !name.includes(SEPARATOR), {
    clause: 'table.name',
    member: `${at}.name`,
    expected: `a name without "${SEPARATOR}"`,
    found: name,
  });
  step.check(maxCovers >= 0, {
    clause: 'table.covers',
    member: `${at}.maxCovers`,
    expected: '0 or more',
    found: maxCovers,
  });
  step.check(status !== TableStatus.TABLE_STATUS_UNSPECIFIED && status !== TableStatus.UNRECOGNIZED, {
    clause: 'table.status',
    member: `${at}.status`,
    expected: 'a status of the contract',
    found: status,
  });
}

/** Checks every clause about a bill; null when it is unusable. */
export function checkBillItems(
  { flowContext, step }: StepContext,
  bill: Bill | undefined,
  { at, sessionId }: { readonly at: CheckContext; readonly sessionId: string },
): CheckedBill | null {
  if (bill === undefined) {
    step.check(false, { clause: 'answer.schema', member: at, expected: 'a bill', found: undefined });
    return null;
  }
  const { currencies } = flowContext.parts.account;
  const known = flowContext.bill?.sessionId === sessionId ? { currencyCode: flowContext.bill.total.currencyCode } : {};
  // The contract does not define the case of a UUID.
  const isSame = bill.sessionId.toLowerCase() === sessionId.toLowerCase();
  const checked = checkBill(isSame ? { ...bill, sessionId } : bill, { sessionId, currencies, ...known });
  // The service accepts what does not matter for paying. The contract is stricter.
  const violation = checked.outcome === 'sound' ? checked.deviations[0] : checked;
  if (checked.outcome === 'sound' && violation === undefined) {
    for (const { clause, expected, member } of Object.values(BILL_CLAUSES)) {
      step.saw(clause, { member: `${at}.${member}`, what: expected });
    }
    return checked.bill;
  }
  if (violation === undefined) return null;
  const { clause, member, expected } = BILL_CLAUSES[violation.fault];
  const accepted = known.currencyCode ?? currencies.join(' or ');
  step.check(false, {
    clause,
    member: `${at}.${member}`,
    expected: clause === 'bill.currency' ? accepted : clause === 'bill.session' ? sessionId : expected,
    found: violation.detail,
  });
  return null;
}

/** Checks every clause about a printable bill; null when it is unusable. */
export function checkFullBill(
  context: StepContext,
  fullBill: FullBill | undefined,
  { at, sessionId }: { readonly at: CheckContext; readonly sessionId: string },
): CheckedBill | null {
  return checkBillItems(context, fullBill?.billItems, { at: `${at}.billItems`, sessionId });
}

const BILL_CLAUSES: Readonly<
  Record<BillViolationKind, { readonly clause: ClauseId; readonly member: string; readonly expected: string }>
> = {
  other_session: formatRow('bill.session', 'sessionId', 'the session that was asked for'),
  currency_malformed: formatRow('bill.currency', 'currency', 'three capital letters'),
  currency_changed: formatRow('bill.currency', 'currency', 'the currency the bill was in before'),
  currency_not_enabled: formatRow('bill.currency', 'currency', 'a currency of the account'),
  amount_not_exact: formatRow('bill.amounts', 'totalAmount', 'whole minor units below 2^53'),
  amount_negative: formatRow('bill.amounts', 'totalAmount', 'amounts of 0 or more'),
  amount_too_large: formatRow('bill.amounts', 'totalAmount', 'amounts that can be paid'),
  paid_exceeds_total: formatRow('bill.paid-within-total', 'paidAmount', 'the total or less'),
  tax_exceeds_total: formatRow('bill.parts-within-total', 'taxAmount', 'the total or less'),
  service_charge_exceeds_total: formatRow('bill.parts-within-total', 'serviceCharge', 'the total or less'),
  too_many_items: formatRow('bill.items', 'items', 'at most 1000 items'),
  too_many_modifiers: formatRow('bill.items', 'items.modifiers', 'at most 100 modifiers'),
  quantity_invalid: formatRow('bill.items', 'items.quantity', 'a whole quantity'),
  item_id_repeated: formatRow('bill.items', 'items.id', 'an id of its own for every item'),
  item_id_missing: formatRow('bill.items', 'items.id', 'an id'),
  text_too_long: formatRow('bill.items', 'items', 'texts of at most 1024 characters'),
};

function formatRow(clause: ClauseId, member: string, expected: string) {
  return { clause, member, expected };
}
