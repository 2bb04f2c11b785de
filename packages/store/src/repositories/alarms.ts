import type { Alarm, AlarmAnswer, AlarmDetails, AlarmKind } from '@pos/core/operators/alarm';
import type { ApiKeyId } from '@pos/core/identity/identity';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { defineStatement } from '../postgres/statement.js';
import { column, jsonColumn, nullable, type RowOf, defineRelation, enumColumn } from '../relations/relation.js';
import { lockRow, selectPage, selectRows, updateScopedRows } from '../relations/scoped-query.js';
import type { RaisedAlarm, Reader, Tx } from '../database/transaction.js';

export const alarms = defineRelation('alarms', {
  id: column.key,
  kind: enumColumn<AlarmKind>(),
  subject: column.text,
  occurrence: column.text,
  message: column.text,
  details: jsonColumn<AlarmDetails>(),
  created_at: column.timestamp,
  answered_at: nullable(column.timestamp),
  answered_by: nullable(enumColumn<ApiKeyId>()),
  answer: nullable(column.text),
});
type AlarmRow = RowOf<typeof alarms>;

const INSERT = defineStatement(
  'insert_alarm',
  `insert into alarms (account_id, environment, id, kind, subject, occurrence, message, details, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (account_id, environment, kind, subject, occurrence) where answered_at is null do nothing
   returning id`,
);

/**
 * Writes an alarm together with the next query, and reports it after the commit. An unanswered alarm of the same
 * identity is left as it is, and nothing is reported.
 */
export function insertAlarm(tx: Tx, alarm: RaisedAlarm): void {
  const { accountId, environment } = tx.scope;
  const { id, kind, subject, occurrence, message, details, createdAt } = alarm;
  const values = [id, kind, subject, occurrence, message, JSON.stringify(details), createdAt];
  tx.enqueue(INSERT, [accountId, environment, ...values], (rows) => {
    if (rows.length > 0) tx.reportAlarm(alarm);
  });
}

/** Reads the alarm for answering it, or null. */
export async function lockAlarm(tx: Tx, id: string): Promise<Alarm | null> {
  const row = await lockRow(tx, alarms, { id });
  return row === null ? null : toAlarm(row);
}

/** Writes the answer to an alarm that was read under its row lock. */
export async function updateAlarmAnswer(tx: Tx, id: string, { note, keyId, answeredAt }: AlarmAnswer): Promise<void> {
  await updateScopedRows(tx, alarms, {
    where: { id, answered_at: null },
    set: { answer: note, answered_by: keyId, answered_at: answeredAt },
  });
}

/** The unanswered alarms of a kind about a subject. */
export async function listUnansweredAlarms(
  reader: Reader,
  { kind, subject }: Pick<Alarm, 'kind' | 'subject'>,
): Promise<Alarm[]> {
  const rows = await selectRows(reader, alarms, (select) =>
    select
      .andWhere('row.answered_at is null')
      .andWhere('row.kind = :kind', { kind })
      .andWhere('row.subject = :subject', { subject }),
  );
  return rows.map(toAlarm);
}

/** Which alarms are listed: `isAnswered` null lists all. */
export interface AlarmQuery {
  readonly isAnswered: boolean | null;
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly direction: Direction;
}

/** A page of the account's alarms, newest first. */
export async function listAlarms(reader: Reader, search: AlarmQuery): Promise<Page<Alarm>> {
  const { isAnswered } = search;
  const rows = await selectRows(reader, alarms, (select) => {
    if (isAnswered !== null) select.andWhere(`row.answered_at is ${isAnswered ? 'not null' : 'null'}`);
    return selectPage(select, search);
  });
  return buildPage(rows.map(toAlarm), search);
}

function toAlarm(row: AlarmRow): Alarm {
  const { id, kind, subject, occurrence, message, details } = row;
  return { id, kind, subject, occurrence, message, details, createdAt: row.created_at, answer: toAnswer(row) };
}

function toAnswer({ answer, answered_by: keyId, answered_at: answeredAt }: AlarmRow): AlarmAnswer | null {
  return answer === null || keyId === null || answeredAt === null ? null : { note: answer, keyId, answeredAt };
}
