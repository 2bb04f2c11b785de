import type { CardPresentApproval } from '@pos/core/cards';
import type { LocationId } from '@pos/core/identity';
import type { Receipt } from '@pos/core/receipts';
import type { SessionPaymentDetails, SessionStatus, SessionType } from '@pos/core/terminals';
import type { ColumnGroups } from './changed-columns.js';
import {
  column,
  jsonColumn,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
  enumKeyColumn,
  definePartnerRelation,
} from './relation.js';

export const terminals = defineRelation('terminals', {
  id: enumKeyColumn<`tm_${string}`>(),
  tid: column.text,
  name: column.text,
  model: nullable(column.text),
  location_id: nullable(enumColumn<LocationId>()),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});

export const terminalSessions = definePartnerRelation('terminal_sessions', {
  id: enumKeyColumn<`ts_${string}`>(),
  version: column.integer,
  terminal_id: enumColumn<`tm_${string}`>(),
  session_type: enumColumn<SessionType>(),
  status: enumColumn<SessionStatus>(),
  intent_id: nullable(enumColumn<`pi_${string}`>()),
  acquirer_reference: column.text,
  currency: column.text,
  base_amount: column.bigint,
  tips_amount: column.bigint,
  cashback_amount: column.bigint,
  service_charge_amount: column.bigint,
  capture: column.boolean,
  card_holder_not_present: column.boolean,
  last_report: column.integer,
  postponed_report: nullable(column.integer),
  card_presented: column.boolean,
  unknown_to_machine: column.booleanDefaultFalse,
  signature_decision: nullable(enumColumn<'Accepted' | 'Rejected'>()),
  expire_at: column.timestamp,
  approval: nullable(jsonColumn<CardPresentApproval>()),
  payment_details: nullable(jsonColumn<SessionPaymentDetails>()),
  customer_receipt: nullable(jsonColumn<Receipt>()),
  merchant_receipt: nullable(jsonColumn<Receipt>()),
  chain_head: nullable(column.bytes),
  chain_length: nullable(column.integer),
  given_back_by: nullable(column.text),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type TerminalSessionRow = RowOf<typeof terminalSessions>;

/** What never changes, what the session is of, its amounts, its approval, the payment's details, and the receipts. */
export const terminalSessionColumnGroups = [
  ['id', 'created_at'],
  ['terminal_id', 'session_type', 'intent_id', 'acquirer_reference', 'capture', 'card_holder_not_present'],
  ['currency', 'base_amount', 'tips_amount', 'cashback_amount', 'service_charge_amount'],
  ['approval'],
  ['payment_details'],
  ['customer_receipt', 'merchant_receipt'],
] as const satisfies ColumnGroups<TerminalSessionRow>;

export const terminalSessionEvents = defineRelation('terminal_session_events', {
  session_id: column.key,
  number: column.integerKey,
  kind: enumColumn<'status' | 'notification'>(),
  name: column.text,
  created_at: column.timestamp,
  trace_id: nullable(column.text),
});

export const machineBindings = defineRelation('machine_bindings', {
  terminal_id: enumKeyColumn<`tm_${string}`>(),
  serial_number: column.text,
  credential_hash: column.bytes,
  bound_at: column.timestamp,
});

/** The other side of an open socket. */
export type ConnectionKind = 'machine' | 'epos-grpc-stream' | 'tables-ws' | 'epos-ws';

export const connections = defineRelation('connections', {
  kind: enumKeyColumn<ConnectionKind>(),
  key: column.key,
  connection_id: column.key,
  epoch: column.bigint,
  gateway_id: column.text,
  gateway_address: column.text,
  alive_until: column.timestamp,
  seen_at: column.timestamp,
  in_use: column.boolean,
  in_use_since: nullable(column.timestamp),
  opened_at: column.timestamp,
  closed_at: nullable(column.timestamp),
});
export type ConnectionRow = RowOf<typeof connections>;
