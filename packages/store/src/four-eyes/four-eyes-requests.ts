import type {
  ActionOutcome,
  ActionSummary,
  ForwardedAction,
  FourEyesRequest,
  FourEyesState,
} from '@pos/core/administration';
import { isId, type PortalUserId } from '@pos/core/identity';
import { assert } from '@pos/core/refusals';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import type { Reader, Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { column, defineRelation, enumColumn, jsonColumn, nullable, type RowOf } from '../relations/relation.js';

interface Requester {
  readonly sessionHash: string;
}

export const fourEyesRequests = defineRelation('four_eyes_requests', {
  id: column.key,
  version: column.integer,
  action: jsonColumn<ForwardedAction>(),
  action_hash: column.bytes,
  summary: jsonColumn<ActionSummary>(),
  repeat_key: column.text,
  state: enumColumn<FourEyesState>(),
  requested_by: column.text,
  requester: jsonColumn<Requester>(),
  reason: column.text,
  requested_at: column.timestamp,
  expires_at: column.timestamp,
  decided_by: nullable(column.text),
  decision_reason: nullable(column.text),
  decided_at: nullable(column.timestamp),
  outcome: nullable(jsonColumn<ActionOutcome>()),
  finished_at: nullable(column.timestamp),
});
type Row = RowOf<typeof fourEyesRequests>;

const COLUMNS = fourEyesRequests.columns.join(', ');
const INSERT = defineStatement(
  'insert_four_eyes_request',
  `insert into four_eyes_requests (account_id, environment, id, version, action, action_hash, summary, repeat_key, state,
     requested_by, requester, reason, requested_at, expires_at)
   values ($1, $2, $3, 1, $4::jsonb, $5, $6::jsonb, $7, 'Waiting', $8, $9::jsonb, $10, $11, $12)
   on conflict (account_id, environment, repeat_key) do nothing returning id`,
);
const FIND = defineStatement(
  'find_four_eyes_request',
  `select ${COLUMNS} from four_eyes_requests where account_id = $1 and environment = $2 and id = $3`,
);
const LOCK = defineStatement(
  'lock_four_eyes_request',
  `select ${COLUMNS} from four_eyes_requests where account_id = $1 and environment = $2 and id = $3 for update`,
);
const FIND_REPEATED = defineStatement(
  'find_repeated_request',
  `select ${COLUMNS} from four_eyes_requests where account_id = $1 and environment = $2 and repeat_key = $3`,
);
const PAGES = { older: definePage('older'), newer: definePage('newer') };
const FIND_EQUAL = defineStatement(
  'find_equal_request',
  `select ${COLUMNS} from four_eyes_requests
   where account_id = $1 and environment = $2 and action_hash = $3 and requested_by = $4
     and state in ('Waiting', 'Approved') and expires_at > $5 order by requested_at, id limit 1`,
);
const DECIDE = defineStatement(
  'store_decision',
  `update four_eyes_requests set state = $4, decided_by = $5, decision_reason = $6, decided_at = $7, version = version + 1
   where account_id = $1 and environment = $2 and id = $3 and state = 'Waiting' returning id`,
);
/** An answer of success counts also after a refusal that another sender of the same action got. */
const FINISH = defineStatement(
  'store_outcome',
  `update four_eyes_requests set state = $4, outcome = $5::jsonb, finished_at = $6, version = version + 1
   where account_id = $1 and environment = $2 and id = $3
     and (state = 'Approved' or (state = 'Failed' and $4 = 'Done')) returning id`,
);

/** A request to store. */
export type NewFourEyesRequest = Pick<
  FourEyesRequest,
  'id' | 'action' | 'actionHash' | 'summary' | 'requestedBy' | 'sessionHash' | 'reason' | 'requestedAt' | 'expiresAt'
> & { readonly repeatKey: string };

/** Stores the request unless one with its repeat key exists. Returns whether it was stored. */
export async function insertFourEyesRequest(tx: Tx, request: NewFourEyesRequest): Promise<boolean> {
  const { id, action, actionHash, summary, repeatKey, requestedBy, sessionHash, reason } = request;
  const rows = await tx.query(INSERT, [
    ...[tx.scope.accountId, tx.scope.environment, id, JSON.stringify(action), actionHash, JSON.stringify(summary)],
    ...[repeatKey, requestedBy, JSON.stringify({ sessionHash }), reason, request.requestedAt, request.expiresAt],
  ]);
  return rows.length > 0;
}

export async function findFourEyesRequest(reader: Reader, id: string): Promise<FourEyesRequest | null> {
  const [row] = await reader.query<Row>(FIND, [reader.scope.accountId, reader.scope.environment, id]);
  return row === undefined ? null : toRequest(row, reader.scope);
}

export async function lockFourEyesRequest(tx: Tx, id: string): Promise<FourEyesRequest | null> {
  const [row] = await tx.query<Row>(LOCK, [tx.scope.accountId, tx.scope.environment, id]);
  return row === undefined ? null : toRequest(row, tx.scope);
}

export async function findRepeatedRequest(reader: Reader, repeatKey: string): Promise<FourEyesRequest | null> {
  const [row] = await reader.query<Row>(FIND_REPEATED, [reader.scope.accountId, reader.scope.environment, repeatKey]);
  return row === undefined ? null : toRequest(row, reader.scope);
}

/** The request of the user for the same action that waits or may be done; null for none. */
export async function findEqualRequest(
  tx: Tx,
  { requestedBy, actionHash }: Pick<FourEyesRequest, 'requestedBy' | 'actionHash'>,
): Promise<FourEyesRequest | null> {
  const { accountId, environment } = tx.scope;
  const [row] = await tx.query<Row>(FIND_EQUAL, [accountId, environment, actionHash, requestedBy, tx.databaseNow]);
  return row === undefined ? null : toRequest(row, tx.scope);
}

/** A page of the requests of the scope, newest first, from a cursor on in one direction. */
export async function listFourEyesRequests(
  reader: Reader,
  query: { readonly limit: number; readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<Page<FourEyesRequest>> {
  const { accountId, environment } = reader.scope;
  const values = [accountId, environment, ...startValues(query), query.limit + 1];
  const rows = await reader.query<Row>(PAGES[query.direction], values);
  const page = buildPage(
    rows.map((row) => ({ id: row.id, createdAt: row.requested_at, row })),
    query,
  );
  return { ...page, elements: page.elements.map(({ row }) => toRequest(row, reader.scope)) };
}

function definePage(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    `list_four_eyes_requests_${direction}`,
    `select ${COLUMNS} from four_eyes_requests
     where account_id = $1 and environment = $2 and (requested_at, id) ${sign} ($3::timestamptz, $4::text)
     order by requested_at ${order}, id ${order} limit $5`,
  );
}

/** Stores a decision about a request that waits, which the transaction has locked. */
export async function storeDecision(
  tx: Tx,
  id: string,
  decision: { readonly state: 'Approved' | 'Refused'; readonly decidedBy: string; readonly reason: string },
): Promise<void> {
  const { state, decidedBy, reason } = decision;
  const scope = [tx.scope.accountId, tx.scope.environment, id];
  const rows = await tx.query(DECIDE, [...scope, state, decidedBy, reason, tx.databaseNow]);
  assert(rows.length === 1, `request ${id} was not waiting`);
}

/** Stores how an approved action has ended. Returns false if that was stored before. */
export async function storeOutcome(
  tx: Tx,
  id: string,
  { state, outcome }: { readonly state: 'Done' | 'Failed'; readonly outcome: ActionOutcome },
): Promise<boolean> {
  const scope = [tx.scope.accountId, tx.scope.environment, id];
  return (await tx.query(FINISH, [...scope, state, JSON.stringify(outcome), tx.databaseNow])).length === 1;
}

function toRequest(row: Row, scope: FourEyesRequest['scope']): FourEyesRequest {
  const { id, version, action, summary, state, reason } = row;
  return {
    ...{ id, scope, version, action, actionHash: row.action_hash, summary, state, reason },
    ...{ requestedBy: requireUserId(row.requested_by), sessionHash: row.requester.sessionHash },
    ...{ requestedAt: row.requested_at, expiresAt: row.expires_at, decidedBy: row.decided_by },
    ...{ decisionReason: row.decision_reason, decidedAt: row.decided_at, outcome: row.outcome },
    finishedAt: row.finished_at,
  };
}

function requireUserId(text: string): PortalUserId {
  assert(isId('portalUser', text), `${text} is not a user of the portal`);
  return text;
}
