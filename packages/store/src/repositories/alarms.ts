import {
  type Alarm,
  ALARM_SERVICE_AUTHOR,
  type AlarmAnswer,
  type AlarmDetails,
  type AlarmKind,
  type EndingAlarmKind,
} from '@pos/core/operators';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { defineChange, defineSeparateChange, sql } from '@pos/postgres/statements';
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
  answered_by: nullable(enumColumn<AlarmAnswer['keyId']>()),
  answer: nullable(column.text),
});
type AlarmRow = RowOf<typeof alarms>;

const INSERT = defineChange(
  'insert_alarm',
  sql.insertInto('alarms')`(account_id, environment, id, kind, subject, occurrence, message, details, created_at)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, ${7}, ${8}, ${9})
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

/** Alarms whose cause has ended. Without a subject: those about all subjects, except the given ones. */
export interface EndedAlarms {
  readonly kind: EndingAlarmKind;
  readonly subject: string | { readonly except: readonly string[] };
  readonly occurrence: string;
  /** What has ended. */
  readonly note: string;
}

// An alarm is answered once, so its id identifies the row of the audit log, too.
const AUDIT_ENDED = `insert into operator_calls
     (account_id, environment, id, key_id, action, subject, note, is_confirmed, outcome, state_before, state_after,
      created_at)
   select $1, $2, ended.id, '${ALARM_SERVICE_AUTHOR}', 'AnswerAlarm', ended.id, $3, false, 'Done', 'Unanswered',
     'Answered', $4::timestamptz
   from ended`;
const ANSWER_ENDED = defineSeparateChange(
  'answer_ended_alarms',
  `with ended as (
     update alarms set answer = $3, answered_by = '${ALARM_SERVICE_AUTHOR}', answered_at = $4
     where account_id = $1 and environment = $2 and answered_at is null
       and kind = $5 and ($6::text is null or subject = $6) and subject <> all ($7::text[]) and occurrence = $8
     returning id
   )
   ${AUDIT_ENDED}`,
);
/** Calls of machines are not made with our credentials. */
const ANSWER_ACCESS = defineSeparateChange(
  'answer_ended_access_alarms',
  `with ended as (
     update alarms set answer = $3, answered_by = '${ALARM_SERVICE_AUTHOR}', answered_at = $4
     where account_id = $1 and environment = $2 and answered_at is null and kind = 'AcquirerAccessRefused'
       and exists (
         select 1 from acquirer_calls call
         where call.account_id = $1 and call.environment = $2 and call.created_at > alarms.created_at
           and call.kind = alarms.subject and call.acquirer = alarms.occurrence and call.terminal_session_id is null
           and call.state = 'Settled' and call.outcome in ('Approved', 'Declined')
       )
     returning id
   )
   ${AUDIT_ENDED}`,
);

/**
 * Answers unanswered alarms in the name of the service, for the audit log too, together with the next query. Costs no
 * round trip of its own.
 */
export function answerEndedAlarms(tx: Tx, { kind, subject, occurrence, note }: EndedAlarms): void {
  const { accountId, environment } = tx.scope;
  const [named, except] = typeof subject === 'string' ? [subject, []] : [null, subject.except];
  tx.enqueue(ANSWER_ENDED, [accountId, environment, note, tx.now, kind, named, except, occurrence]);
}

/** The same for acquirers that have refused our credentials, and have answered a call of the kind that was made later. */
export function answerEndedAccessAlarms(tx: Tx, note: string): void {
  const { accountId, environment } = tx.scope;
  tx.enqueue(ANSWER_ACCESS, [accountId, environment, note, tx.now]);
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
