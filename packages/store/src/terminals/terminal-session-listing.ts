import type { TerminalId } from '@pos/core/identity';
import type { SessionStatus, SessionType } from '@pos/core/terminals';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

/** A session on a card machine without its history. */
export interface TerminalSessionSummary {
  readonly id: string;
  readonly status: SessionStatus;
  readonly sessionType: SessionType;
  readonly intentId: string | null;
  readonly currency: string;
  /** With tip, cashback and service charge, in minor units. */
  readonly amount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const PAGES = { older: definePage('older'), newer: definePage('newer') };

/** A page of the sessions of a terminal, newest first, from a cursor on in one direction. */
export async function searchSessionsOfTerminal(
  reader: Reader,
  terminalId: TerminalId,
  query: { readonly limit: number; readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<Page<TerminalSessionSummary>> {
  const { accountId, environment } = reader.scope;
  const values = [accountId, environment, terminalId, ...startValues(query), query.limit + 1];
  return buildPage(await reader.query<TerminalSessionSummary>(PAGES[query.direction], values), query);
}

function definePage(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    `list_sessions_of_terminal_${direction}`,
    `select id, status, session_type as "sessionType", intent_id as "intentId", currency,
       base_amount + tips_amount + cashback_amount + service_charge_amount as amount,
       created_at as "createdAt", updated_at as "updatedAt"
     from terminal_sessions
     where account_id = $1 and environment = $2 and terminal_id = $3
       and (created_at, id) ${sign} ($4::timestamptz, $5::text)
     order by created_at ${order}, id ${order} limit $6`,
  );
}
