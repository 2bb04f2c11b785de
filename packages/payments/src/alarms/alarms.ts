import {
  type Alarm,
  ALARM_ENDS,
  ALARM_SUBJECT_LENGTH_MAX,
  type AlarmDetails,
  type AlarmKind,
  type EndingAlarmKind,
} from '@pos/core/operators';
import { assert, Refusal } from '@pos/core/refusals';
import type { Caller } from '@pos/core/accounts';
import { isUuid } from '@pos/core/ids';
import {
  answerEndedAlarms,
  insertAlarm,
  insertOperatorCall,
  listAlarms,
  lockAlarm,
  updateAlarmAnswer,
} from '@pos/store/repositories';
import type { Reader, Tx } from '@pos/store/database';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

/** An alarm to raise. `occurrence` distinguishes alarms of one kind about one subject. */
export interface NewAlarm {
  readonly kind: AlarmKind;
  readonly subject: string;
  readonly occurrence?: string;
  readonly message: string;
  readonly details: AlarmDetails;
}

/**
 * Writes an alarm for the account's operators in this transaction. While an alarm of the same kind, subject and occurrence
 * is unanswered, nothing is written. Costs no round trip of its own.
 */
export async function raiseAlarm(tx: Tx, { occurrence = '', ...alarm }: NewAlarm): Promise<void> {
  assert(
    alarm.subject.length > 0 && alarm.subject.length <= ALARM_SUBJECT_LENGTH_MAX,
    'a subject of 1 to 128 characters',
  );
  assert(occurrence.length <= ALARM_SUBJECT_LENGTH_MAX, 'an occurrence of at most 128 characters');
  insertAlarm(tx, { ...alarm, occurrence, id: await tx.newUuid(), createdAt: tx.now });
}

/** Which alarms have ended: those about a subject, or those about all subjects except the given ones. */
export interface EndedCause {
  readonly kind: EndingAlarmKind;
  readonly subject: string | { readonly except: readonly string[] };
  readonly occurrence?: string;
}

/**
 * Answers the alarms whose cause has ended in the name of the service, for the audit log too. The place that sees the end
 * calls it. Costs no round trip of its own.
 */
export function endAlarms(tx: Tx, { kind, subject, occurrence = '' }: EndedCause): void {
  answerEndedAlarms(tx, { kind, subject, occurrence, note: describeEnd(kind) });
}

/** The note of an alarm that the service answers itself. */
export function describeEnd(kind: EndingAlarmKind): string {
  return `The cause has ended: ${ALARM_ENDS[kind]}.`;
}

/** The requested page of alarms; `isAnswered` absent lists all. */
export interface AlarmPageQuery extends PageQuery {
  readonly isAnswered?: boolean | undefined;
}

/** A page of alarms, newest first. */
export interface AlarmPage extends PageCursors {
  readonly alarms: readonly Alarm[];
}

/** Lists the account's alarms, newest first. */
export async function listAlarmPage(
  reader: Reader,
  { limit, isAnswered, ...pageQuery }: AlarmPageQuery,
): Promise<AlarmPage> {
  const position = readPosition(reader.scope, isUuid, pageQuery);
  const page = await listAlarms(reader, { isAnswered: isAnswered ?? null, limit, ...position });
  return { alarms: page.elements, ...buildPageCursors(reader.scope, page) };
}

/** An operator's answer to an alarm: what was checked, and what was done about it. */
export interface AnswerAlarmRequest {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly alarmId: string;
  readonly note: string;
}

/** Answers an alarm, for the audit log too. Refuses `alarm_not_found` and `alarm_answered`. */
export async function answerAlarm(tx: Tx, { caller, alarmId, note }: AnswerAlarmRequest): Promise<Alarm> {
  const alarm = isUuid(alarmId) ? await lockAlarm(tx, alarmId) : null;
  if (alarm === null) throw new Refusal('alarm_not_found', 'there is no such alarm');
  if (alarm.answer !== null) throw new Refusal('alarm_answered', 'the alarm is answered already');
  const answer = { note, keyId: caller.keyId, answeredAt: tx.now };
  await updateAlarmAnswer(tx, alarmId, answer);
  await insertOperatorCall(tx, {
    ...{ keyId: caller.keyId, action: 'AnswerAlarm', subject: alarmId, note, isConfirmed: false, outcome: 'Done' },
    ...{ stateBefore: 'Unanswered', stateAfter: 'Answered' },
  });
  return { ...alarm, answer };
}
