import { requireValue } from '@pos/core/refusals';
import type { TerminalId } from '@pos/core/identity';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

const OF_ACCOUNT = defineStatement(
  'read_time_zone_of_account',
  `select l.time_zone from accounts a
   join locations l on l.account_id = a.account_id and l.environment = $2 and l.id = a.location_id
   where a.account_id = $1`,
);
const OF_TERMINAL = defineStatement(
  'read_time_zone_of_terminal',
  `select l.time_zone from accounts a
   left join terminals t on t.account_id = a.account_id and t.environment = $2 and t.id = $3
   join locations l on l.account_id = a.account_id and l.environment = $2
     and l.id = coalesce(t.location_id, a.location_id)
   where a.account_id = $1`,
);
const OF_INTENT = defineStatement(
  'read_time_zone_of_intent',
  `select l.time_zone from accounts a
   left join lateral (
     select t.location_id from terminal_sessions s
     join terminals t on t.account_id = s.account_id and t.environment = s.environment and t.id = s.terminal_id
     where s.account_id = $1 and s.environment = $2 and s.intent_id = $3
     order by s.created_at desc limit 1) taken on true
   join locations l on l.account_id = a.account_id and l.environment = $2
     and l.id = coalesce(taken.location_id, a.location_id)
   where a.account_id = $1`,
);

/** The zone of the account's first location, by which its settlement days begin. */
export function readTimeZone(reader: Reader): Promise<string> {
  return readZone(reader, OF_ACCOUNT, []);
}

/** The zone of the location of a terminal; of the account's first location if the terminal has none. */
export function readTimeZoneOfTerminal(reader: Reader, terminalId: TerminalId): Promise<string> {
  return readZone(reader, OF_TERMINAL, [terminalId]);
}

/** The zone where a payment was taken: of its last card machine, or of the account's first location. */
export function readTimeZoneOfIntent(reader: Reader, intentId: string): Promise<string> {
  return readZone(reader, OF_INTENT, [intentId]);
}

async function readZone(reader: Reader, statement: typeof OF_ACCOUNT, more: readonly string[]): Promise<string> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ readonly time_zone: string }>(statement, [accountId, environment, ...more]);
  return requireValue(row, 'the location of the account').time_zone;
}
