import {
  type ActivityOutcome,
  isRecordableText,
  type NewActivity,
  NOT_RECORDED,
  recordJson,
  type UnreadableDetail,
} from '@pos/core/activities';
import type { Scope } from '@pos/core/identity';
import type { CallFence, TablesResult } from '../epos-calls/tables-call.js';
import type { DataResult } from '../epos-calls/data-call.js';

/** A call to an EPOS that has ended. */
export interface EndedEposCall {
  readonly call: string;
  /** The code of a refusal. */
  readonly code: string | undefined;
  /** The members of the call. */
  readonly request: unknown;
  readonly fence: CallFence | null;
  readonly result: TablesResult | DataResult;
  readonly startedAt: number;
  /** The members of the answer that could not be read and were not named before. */
  readonly unreadable: readonly UnreadableDetail[];
}

/**
 * The entry of the activity log. Null for an answered call that is about no session, order or payment: devices list
 * tables every second.
 */
export function describeEposCall(scope: Scope, ended: EndedEposCall): NewActivity | null {
  const { call, code, request, fence, result, startedAt, unreadable } = ended;
  const { outcome, transport } = result;
  const subjectId = findSubject(request);
  if (subjectId === null && outcome.outcome === 'answered' && unreadable.length === 0) return null;
  const reason = 'reason' in outcome ? outcome.reason : outcome.outcome;
  const answer = outcome.outcome === 'answered' ? ('answer' in outcome ? outcome.answer.value : outcome.json) : null;
  return {
    ...{ scope, kind: 'EposCall', name: call, subjectId, outcome: OUTCOMES[outcome.outcome] },
    status: 'httpStatus' in outcome && outcome.httpStatus !== 0 ? outcome.httpStatus : null,
    reason: outcome.outcome === 'answered' ? null : (code ?? (isRecordableText(reason) ? reason : NOT_RECORDED)),
    ...{ keyId: null, traceId: null, startedAtMs: startedAt, tookMs: performance.now() - startedAt },
    details: {
      ...(transport !== null && { transport }),
      ...(fence !== null && { reference: fence.subject }),
      request: recordJson(request),
      ...(answer !== null && { answer: recordJson(answer) }),
      ...(unreadable.length > 0 && { unreadable: unreadable.map(toRecordable) }),
    },
  };
}

/** Ids and names of members come from the EPOS, so they may hold anything. */
function toRecordable({ element, member, ...rest }: UnreadableDetail): UnreadableDetail {
  const [recordedElement = '', recordedMember = ''] = [element, member].map((text) =>
    isRecordableText(text) ? text : NOT_RECORDED,
  );
  return { ...rest, element: recordedElement, member: recordedMember };
}

const OUTCOMES = {
  answered: 'Succeeded',
  refused: 'Refused',
  credentialsRefused: 'Refused',
  notSent: 'Failed',
  noAnswer: 'Failed',
} as const satisfies Record<EndedEposCall['result']['outcome']['outcome'], ActivityOutcome>;

/** The session, the order or the payment that a call is about. */
function findSubject(request: unknown): string | null {
  const payment = getMember(request, 'payment');
  const data = getMember(request, 'data');
  const candidates = [
    getMember(request, 'sessionId'),
    getMember(payment, 'sessionId'),
    getMember(request, 'orderId'),
    getMember(data, 'paymentIntentId'),
    // An order that is created has no id yet.
    getMember(getFirst(getMember(request, 'payments')), 'paymentIntentId'),
  ];
  return candidates.find((each): each is string => typeof each === 'string' && each !== '') ?? null;
}

function getFirst(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
