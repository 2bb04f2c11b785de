import type { PaymentIntentId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { isPlacementFinal, type OrderPlacement, type PlacementNext, type PlacementState } from '@pos/core/orders';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';
import {
  column,
  findRow,
  insertRow,
  jsonColumn,
  nullable,
  type RowOf,
  updateVersion,
  enumColumn,
  definePartnerRelation,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const orderPlacements = definePartnerRelation('order_placements', {
  id: column.key,
  intent_id: enumColumn<PaymentIntentId>(),
  placed_order: jsonColumn<OrderPlacement['order']>(),
  state: enumColumn<PlacementState>(),
  next_step: nullable(enumColumn<PlacementNext>()),
  due_at: nullable(column.timestamp),
  total_amount: column.bigint,
  gratuity_amount: column.bigint,
  currency: column.text,
  order_id: nullable(column.text),
  place_calls: column.integer,
  is_unanswered: column.boolean,
  called_at: nullable(column.timestamp),
  doubt_at: nullable(column.timestamp),
  is_hold_ending: column.boolean,
  is_money_gone: column.boolean,
  tries: column.integer,
  give_back_since: nullable(column.timestamp),
  may_order_stand: column.boolean,
  last_error: nullable(column.text),
  since: column.timestamp,
  version: column.integer,
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type OrderPlacementRow = RowOf<typeof orderPlacements>;

/** The condition of a placement whose money is held. */
export const OPEN_ORDER_PLACEMENT = `state not in ('Waiting', 'Completed', 'GivenBack', 'Ended')`;

const OPEN = defineStatement(
  'list_open_order_placements',
  `select ${orderPlacements.columns.join(', ')} from order_placements
   where account_id = $1 and environment = $2 and ${OPEN_ORDER_PLACEMENT}
   order by since, id`,
);

const PAGES = { older: definePage('older'), newer: definePage('newer') };

/** A page of placements, newest first, from a cursor on in one direction. */
export async function searchOrderPlacements(
  reader: Reader,
  query: { readonly limit: number; readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<Page<OrderPlacement>> {
  const { accountId, environment } = reader.scope;
  const values = [accountId, environment, ...startValues(query), query.limit + 1];
  const rows = await reader.query<OrderPlacementRow>(PAGES[query.direction], values);
  return buildPage(rows.map(toPlacement), query);
}

/** Without the order itself, which may have a megabyte. */
function definePage(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  const columns = orderPlacements.columns.map((name) => (name === 'placed_order' ? 'null as placed_order' : name));
  return defineStatement(
    `list_order_placements_${direction}`,
    `select ${columns.join(', ')} from order_placements
     where account_id = $1 and environment = $2
       and (created_at, id) ${sign} ($3::timestamptz, $4::text)
     order by created_at ${order}, id ${order} limit $5`,
  );
}

/** Writes a submitted order together with the next query: that fails (23505) when its intent has an order already. */
export function insertOrderPlacement(tx: Tx, placement: OrderPlacement): void {
  insertRow(tx, orderPlacements, toRow(placement));
}

/** Reads a placement for changing it, or null. */
export async function lockOrderPlacement(tx: Tx, id: string): Promise<OrderPlacement | null> {
  const row = await findRow(tx, orderPlacements, { where: { id }, isLocking: true });
  return row === null ? null : toPlacement(row);
}

export async function findOrderPlacement(reader: Reader, id: string): Promise<OrderPlacement | null> {
  const row = await findRow(reader, orderPlacements, { where: { id } });
  return row === null ? null : toPlacement(row);
}

/** Whether an order was ever submitted with this intent. */
export async function hasOrderPlacement(reader: Reader, intentId: PaymentIntentId): Promise<boolean> {
  return (await findRow(reader, orderPlacements, { where: { intent_id: intentId } })) !== null;
}

/** The orders whose money is held and has not reached its destination, longest open first. */
export async function listOpenOrderPlacements(reader: Reader): Promise<OrderPlacement[]> {
  const rows = await reader.query<OrderPlacementRow>(OPEN, [reader.scope.accountId, reader.scope.environment]);
  return rows.map(toPlacement);
}

/** Writes a placement that was read under its row lock, and returns it with its new version. */
export function updateOrderPlacement(tx: Tx, placement: OrderPlacement): OrderPlacement {
  const next = { ...placement, version: placement.version + 1 };
  const { id, intent_id: _intent, placed_order: order, created_at: _createdAt, ...changing } = toRow(next);
  // It may be long, and is never changed except to be emptied.
  const set = { ...changing, ...(isPlacementFinal(next) && { placed_order: order }) };
  updateVersion(tx, orderPlacements, { where: { id }, version: placement.version, set });
  return next;
}

function toRow(placement: OrderPlacement): OrderPlacementRow {
  return {
    id: placement.id,
    intent_id: placement.intentId,
    placed_order: placement.order,
    state: placement.state,
    next_step: placement.nextStep,
    due_at: placement.dueAt,
    total_amount: placement.total.value,
    gratuity_amount: placement.gratuity.value,
    currency: placement.total.currencyCode,
    order_id: placement.orderId,
    place_calls: placement.placeCalls,
    is_unanswered: placement.isUnanswered,
    called_at: placement.calledAt,
    doubt_at: placement.doubtAt,
    is_hold_ending: placement.isHoldEnding,
    is_money_gone: placement.isMoneyGone,
    tries: placement.tries,
    give_back_since: placement.giveBackSince,
    may_order_stand: placement.mayOrderStand,
    last_error: placement.lastError,
    since: placement.since,
    version: placement.version,
    created_at: placement.createdAt,
    updated_at: placement.updatedAt,
  };
}

function toPlacement(row: OrderPlacementRow): OrderPlacement {
  return {
    id: row.id,
    intentId: row.intent_id,
    order: row.placed_order,
    state: row.state,
    nextStep: row.next_step,
    dueAt: row.due_at,
    total: money(row.total_amount, row.currency),
    gratuity: money(row.gratuity_amount, row.currency),
    orderId: row.order_id,
    placeCalls: row.place_calls,
    isUnanswered: row.is_unanswered,
    calledAt: row.called_at,
    doubtAt: row.doubt_at,
    isHoldEnding: row.is_hold_ending,
    isMoneyGone: row.is_money_gone,
    tries: row.tries,
    giveBackSince: row.give_back_since,
    mayOrderStand: row.may_order_stand,
    lastError: row.last_error,
    since: row.since,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
