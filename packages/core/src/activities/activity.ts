import type { Scope } from '../identity/identity.js';
import type { RecordedJson } from './recorded-json.js';

/** What is stored in the activity log. Changes of state and reports of machines have rows of their own. */
export const ACTIVITY_KINDS = ['ApiRequest', 'AcquirerCall', 'EposCall', 'WebhookAttempt'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** What the timeline of a payment consists of: the activity log, and the rows that say the rest. */
export const PAYMENT_ACTIVITY_KINDS = [
  'ApiRequest',
  'StateChange',
  'AcquirerCall',
  'MachineReport',
  'EposCall',
  'WebhookAttempt',
] as const;
export type PaymentActivityKind = (typeof PAYMENT_ACTIVITY_KINDS)[number];

/** The tag of the operations that read the activity log. Their successful requests are not recorded in it. */
export const ACTIVITY_TAG = 'Activities';

/** Refused: the other side answered with a refusal. Failed: there was no answer, or an error of the answering side. */
export const ACTIVITY_OUTCOMES = ['Succeeded', 'Refused', 'Failed'] as const;
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];

/** The facts of one kind of activity, without secrets: `recordJson` makes the bodies. */
export interface ActivityDetails {
  readonly method?: string;
  readonly path?: string;
  readonly hasIdempotencyKey?: boolean;
  /** The delivery of which this is an attempt, or the table payment that an EPOS call is made for. */
  readonly reference?: string;
  readonly attempt?: number;
  readonly transport?: string;
  readonly request?: RecordedJson;
  readonly answer?: RecordedJson;
  /** The members of the answer of an EPOS that could not be read. */
  readonly unreadable?: readonly UnreadableDetail[];
}

/** A member of an answer of an EPOS that could not be read, and the clause of the contract that it breaks. */
export interface UnreadableDetail {
  readonly element: string;
  readonly member: string;
  readonly clause: string;
  readonly problem: string;
  /** Whether the element was left out because of it. */
  readonly isSkipped: boolean;
}

/** An activity that has ended and is to be stored. */
export interface NewActivity {
  readonly scope: Scope;
  readonly kind: ActivityKind;
  /** The operation, the method of the acquirer, the call of the EPOS, or the kind of the event. */
  readonly name: string;
  /** What it is about: the id of an intent or a session, an order, or the reference of a call to the acquirer. */
  readonly subjectId: string | null;
  readonly outcome: ActivityOutcome;
  /** The HTTP status, where there is one. */
  readonly status: number | null;
  /** The code of a refusal, or why it failed; null after a success. */
  readonly reason: string | null;
  readonly keyId: string | null;
  /** 32 lower-case hex digits; null: the trace of the running work. */
  readonly traceId: string | null;
  /** On the monotonic clock of the process. */
  readonly startedAtMs: number;
  readonly tookMs: number;
  readonly details: ActivityDetails;
}

/** Takes activities without delay and never throws; they are stored soon afterwards. */
export interface ActivityRecorder {
  record(activity: NewActivity): void;
  /** Resolves when everything that was recorded before is stored, or cannot be stored now. */
  flush(): Promise<void>;
}

/** For a process without an activity log. */
export const NO_ACTIVITY_LOG: ActivityRecorder = { record: () => undefined, flush: () => Promise.resolve() };
