import type { CardPresentApproval } from '@pos/core/card';
import type { Receipt } from '@pos/core/receipt';
import type { SessionPaymentDetails, SessionStatus, SessionType } from '@pos/core/terminal-session';
import { column, json, nullable, type RowOf, table, word, wordKey, tableOfRequests } from './table.js';

export const terminals = table('terminals', {
  id: wordKey<`tm_${string}`>(),
  tid: column.text,
  name: column.text,
  created_at: column.time,
  updated_at: column.time,
});

export const terminalSessions = tableOfRequests('terminal_sessions', {
  id: wordKey<`ts_${string}`>(),
  version: column.integer,
  terminal_id: word<`tm_${string}`>(),
  session_type: word<SessionType>(),
  status: word<SessionStatus>(),
  intent_id: nullable(word<`pi_${string}`>()),
  acquirer_reference: column.text,
  currency: column.text,
  base_amount: column.exact,
  tips_amount: column.exact,
  cashback_amount: column.exact,
  service_charge_amount: column.exact,
  capture: column.flag,
  card_holder_not_present: column.flag,
  last_report: column.integer,
  card_presented: column.flag,
  unknown_to_machine: column.flagOrNo,
  signature_decision: nullable(word<'Accepted' | 'Rejected'>()),
  expire_at: column.time,
  approval: nullable(json<CardPresentApproval>()),
  payment_details: nullable(json<SessionPaymentDetails>()),
  customer_receipt: nullable(json<Receipt>()),
  merchant_receipt: nullable(json<Receipt>()),
  chain_head: nullable(column.bytes),
  chain_length: nullable(column.integer),
  created_at: column.time,
  updated_at: column.time,
});
export type TerminalSessionRow = RowOf<typeof terminalSessions>;

export const terminalSessionEvents = table('terminal_session_events', {
  session_id: column.key,
  number: column.numberKey,
  kind: word<'status' | 'notification'>(),
  name: column.text,
  created_at: column.time,
});

export const machineBindings = table('machine_bindings', {
  terminal_id: wordKey<`tm_${string}`>(),
  serial_number: column.text,
  credential_hash: column.bytes,
  bound_at: column.time,
});

/** Who keeps a socket open to us. */
export type ConnectionKind = 'machine' | 'epos-grpc-stream' | 'tables-ws' | 'epos-ws';

export const connections = table('connections', {
  kind: wordKey<ConnectionKind>(),
  key: column.key,
  connection_id: column.key,
  epoch: column.exact,
  gateway_id: column.text,
  gateway_address: column.text,
  alive_until: column.time,
  seen_at: column.time,
  in_use: column.flag,
  in_use_since: nullable(column.time),
  opened_at: column.time,
  closed_at: nullable(column.time),
});
export type ConnectionRow = RowOf<typeof connections>;
