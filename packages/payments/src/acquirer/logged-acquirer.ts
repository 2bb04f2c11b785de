import {
  type ActivityOutcome,
  type ActivityRecorder,
  isRecordableText,
  NO_ACTIVITY_LOG,
  NOT_RECORDED,
  recordJson,
} from '@pos/core/activities';
import type { AcquirerMethod } from '@pos/core/acquirer-calls';
import type { AcquirerAnswer, AcquirerPort, AcquirerRequest } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import type { AcquirerPorts } from '../accounts/acquirer-directory.js';

/** A call to the acquirer as the activity log shows it: nothing of a card. */
interface LoggedCall {
  readonly scope: Scope;
  readonly method: AcquirerMethod;
  readonly reference: string;
  readonly originalReference?: string;
  readonly merchantId?: string;
  readonly amount?: Money;
}

/** Makes a call to the acquirer and records it with its answer. */
export async function logAcquirerCall(
  activities: ActivityRecorder,
  { scope, method, reference, ...request }: LoggedCall,
  call: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> {
  const startedAtMs = performance.now();
  const answer = await call();
  const outcome = OUTCOMES[answer.outcome];
  activities.record({
    ...{ scope, kind: 'AcquirerCall', name: method, subjectId: reference, outcome },
    ...{ status: null, keyId: null, traceId: null, startedAtMs, tookMs: performance.now() - startedAtMs },
    reason: outcome === 'Succeeded' ? null : describeReason(answer),
    details: { request: recordJson({ reference, ...request }), answer: recordJson(describeAnswer(answer)) },
  });
  return answer;
}

/** The acquirers of a process, and where their calls are recorded. */
export interface LoggedAcquirers {
  /** A call whose acquirer is not here is never made. */
  readonly acquirers: AcquirerPorts;
  readonly activities?: ActivityRecorder;
}

/** The acquirer of this name for the calls of one account, or null. */
export function findLoggedAcquirer(
  { acquirers, activities = NO_ACTIVITY_LOG }: LoggedAcquirers,
  scope: Scope,
  name: string,
): AcquirerPort | null {
  const port = acquirers.find(scope.environment, name);
  return port === null ? null : new LoggedAcquirer(port, scope, activities);
}

/** The acquirer of one account: each call about a reference is recorded. Lists of bookings belong to no payment. */
class LoggedAcquirer implements AcquirerPort {
  constructor(
    private readonly port: AcquirerPort,
    private readonly scope: Scope,
    private readonly activities: ActivityRecorder,
  ) {}

  increase(order: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#log('Increase', order, () => this.port.increase(order));
  }

  capture(order: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#log('Capture', order, () => this.port.capture(order));
  }

  refund(order: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#log('Refund', order, () => this.port.refund(order));
  }

  reverse(order: Parameters<AcquirerPort['reverse']>[0]): Promise<AcquirerAnswer> {
    return this.#log('Reverse', order, () => this.port.reverse(order));
  }

  inquire(question: Parameters<AcquirerPort['inquire']>[0]): Promise<AcquirerAnswer> {
    const { reference, deadlineMs } = question;
    return this.#log('Inquire', { reference, deadlineMs }, () => this.port.inquire(question));
  }

  listBooked(question: Parameters<AcquirerPort['listBooked']>[0]): ReturnType<AcquirerPort['listBooked']> {
    return this.port.listBooked(question);
  }

  getCapabilities(
    question: Parameters<AcquirerPort['getCapabilities']>[0],
  ): ReturnType<AcquirerPort['getCapabilities']> {
    return this.port.getCapabilities(question);
  }

  #log(
    method: AcquirerMethod,
    request: Omit<LoggedCall, 'scope' | 'method'> & { readonly deadlineMs: number },
    call: () => Promise<AcquirerAnswer>,
  ): Promise<AcquirerAnswer> {
    const { deadlineMs: _deadlineMs, ...logged } = request;
    return logAcquirerCall(this.activities, { ...logged, scope: this.scope, method }, call);
  }
}

const OUTCOMES = {
  approved: 'Succeeded',
  done: 'Succeeded',
  challenged: 'Succeeded',
  reversed: 'Succeeded',
  inProgress: 'Succeeded',
  notFound: 'Succeeded',
  alreadyExists: 'Succeeded',
  declined: 'Refused',
  refused: 'Refused',
  accessRefused: 'Refused',
  unknown: 'Failed',
} as const satisfies Record<AcquirerAnswer['outcome'], ActivityOutcome>;

/** Texts of an acquirer may hold anything. */
function describeReason(answer: AcquirerAnswer): string {
  const text = 'reason' in answer ? answer.reason : answer.outcome;
  return isRecordableText(text) ? text : NOT_RECORDED;
}

function describeAnswer(answer: AcquirerAnswer): object {
  const { outcome } = answer;
  switch (outcome) {
    case 'approved': {
      const { transactionId, authCode } = answer.approval;
      return { outcome, transactionId, authCode };
    }
    case 'declined':
      return { outcome, transactionId: answer.decline.transactionId };
    case 'challenged':
      return { outcome, transactionId: answer.transactionId };
    case 'done':
      return { outcome, transactionId: answer.transactionId, amount: answer.amount };
    case 'refused':
    case 'accessRefused':
      return { outcome, status: answer.status };
    case 'reversed':
    case 'inProgress':
    case 'notFound':
    case 'alreadyExists':
    case 'unknown':
      return { outcome };
  }
}
