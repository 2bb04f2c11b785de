import type { PortalUserId, Scope } from '../identity/identity.js';
import { Refusal } from '../refusals/refusal.js';

export const FOUR_EYES_STATES = ['Waiting', 'Approved', 'Done', 'Failed', 'Refused'] as const;
/** `Approved`: it may be done, and whether it is done is not known. `Failed`: it became impossible. */
export type FourEyesState = (typeof FOUR_EYES_STATES)[number];

/** A request of the public API, exactly as it is sent once it is approved. */
export interface ForwardedAction {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The release of the API by which the body is read. */
  readonly version: string;
  /** The text of the body; empty without one. */
  readonly body: string;
}

/** What a reader sees of an action. */
export interface ActionSummary {
  readonly operationId: string;
  readonly paymentIntentId: string | null;
  /** Minor units; null where the request names none. */
  readonly amount: number | null;
  readonly currency: string | null;
}

/** How an approved action has ended: the status of the answer, and the reason of a problem. */
export interface ActionOutcome {
  readonly status: number;
  readonly reason: string | null;
}

/** An action that waits for a second person, or has waited. */
export interface FourEyesRequest {
  readonly id: string;
  readonly scope: Scope;
  readonly version: number;
  readonly action: ForwardedAction;
  /** SHA-256 of what the API receives. */
  readonly actionHash: Buffer;
  readonly summary: ActionSummary;
  readonly state: FourEyesState;
  readonly requestedBy: PortalUserId;
  /** The stored hash of the session that has made the request, in hex. */
  readonly sessionHash: string;
  readonly reason: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly decidedAt: Date | null;
  readonly outcome: ActionOutcome | null;
  readonly finishedAt: Date | null;
}

/** Who decides about a request. */
export interface FourEyesDecider {
  readonly userId: PortalUserId;
  readonly sessionHash: string;
  /** Whether the requester has created this user, or changed the role, password or state, since the request could wait. */
  readonly isMadeByRequester: boolean;
}

/** The key under which the API does an approved action: once, however often it is sent. */
export const FOUR_EYES_KEY_PREFIX = 'four-eyes-';

/** Refuses a decision about a request that is not open, and one by the requester in any form. */
export function requireDecidable(
  request: Pick<FourEyesRequest, 'state' | 'requestedBy' | 'sessionHash' | 'expiresAt'>,
  decider: FourEyesDecider,
  now: Date,
): void {
  if (decider.userId === request.requestedBy || decider.sessionHash === request.sessionHash) {
    throw new Refusal('second_person_refused', 'who requests an action may not decide about it');
  }
  if (decider.isMadeByRequester) {
    throw new Refusal('second_person_refused', 'the requester has created this user or changed its role just now');
  }
  if (request.state !== 'Waiting') {
    throw new Refusal('four_eyes_request_decided', `the request is ${request.state}`);
  }
  if (isExpired(request, now)) throw new Refusal('four_eyes_request_decided', 'the request has waited too long');
}

/** Whether the action may no longer begin. */
export function isExpired({ expiresAt }: Pick<FourEyesRequest, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now;
}

/** Answers after which the action may still be done, or is being done: it stays approved and can be sent again. */
const UNFINISHED_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429]);
const UNFINISHED_REASONS: ReadonlySet<string> = new Set([
  'idempotency_in_progress',
  'payment_intent_busy',
  'acquirer_unanswered',
]);

/** The state of an approved action after an answer of the API. */
export function readActionState({
  status,
  reason,
}: ActionOutcome): Extract<FourEyesState, 'Approved' | 'Done' | 'Failed'> {
  if (status >= 200 && status < 300) return 'Done';
  const isUnfinished =
    status < 400 ||
    status >= 500 ||
    UNFINISHED_STATUSES.has(status) ||
    (reason !== null && UNFINISHED_REASONS.has(reason));
  return isUnfinished ? 'Approved' : 'Failed';
}
