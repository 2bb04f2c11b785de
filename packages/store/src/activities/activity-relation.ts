import type { ActivityDetails, ActivityKind, ActivityOutcome, NewActivity } from '@pos/core/activities';
import { cutStorableText } from '@pos/core/refusals';
import { createRandomBytes } from '../crypto/random-bytes.js';
import { readTraceId } from '@pos/postgres/telemetry';
import { column, defineRelation, enumColumn, jsonColumn, nullable, type RowOf } from '../relations/relation.js';

export const activities = defineRelation('activities', {
  trace_id: column.key,
  id: column.key,
  kind: enumColumn<ActivityKind>(),
  name: column.text,
  subject_id: nullable(column.text),
  outcome: enumColumn<ActivityOutcome>(),
  status: nullable(column.integer),
  reason: nullable(column.text),
  key_id: nullable(column.text),
  took_ms: column.integer,
  details: jsonColumn<ActivityDetails>(),
  created_at: column.timestamp,
});
export type ActivityRow = RowOf<typeof activities>;

/** An activity as it waits for its time and its transaction. */
export type PreparedActivity = Omit<ActivityRow, 'created_at' | 'details'> & {
  /** JSON. */
  readonly details: string;
};

const TRACE_ID_BYTES = 16;
const ID_BYTES = 8;
const DETAILS_LENGTH_MAX = 8_192;
const TEXT_LENGTH_MAX = 200;

/** The columns of an activity except its time. Values that are too large for the log are left out. */
export function prepareActivity(activity: NewActivity): PreparedActivity {
  const { kind, name, subjectId, outcome, status, reason, keyId, traceId, tookMs } = activity;
  return {
    trace_id: traceId ?? readTraceId() ?? createRandomBytes(TRACE_ID_BYTES).toString('hex'),
    id: createRandomBytes(ID_BYTES).toString('hex'),
    ...{ kind, name, outcome, status },
    // A cut id would name something else.
    subject_id: subjectId === null || !isShort(subjectId) ? null : subjectId,
    reason: reason === null ? null : cutStorableText(reason, TEXT_LENGTH_MAX),
    key_id: keyId,
    took_ms: Math.max(0, Math.round(tookMs)),
    details: encodeDetails(activity.details),
  };
}

function encodeDetails(details: ActivityDetails): string {
  const text = JSON.stringify(details);
  if (text.length <= DETAILS_LENGTH_MAX) return text;
  const { request: _request, answer: _answer, ...rest } = details;
  return JSON.stringify(rest);
}

function isShort(text: string): boolean {
  return cutStorableText(text, TEXT_LENGTH_MAX) === text;
}
