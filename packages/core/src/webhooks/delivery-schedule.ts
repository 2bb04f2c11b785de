import { assert } from '../refusals/assert.js';
import { type Envelope, getEventSubjectId } from './event.js';
import { isId } from '../identity/identity.js';
import { DAY_MS } from '../time/timespan.js';

/** The first attempt and twelve more; then the delivery is dead-lettered. */
export const ATTEMPTS_MAX = 13;
const DELAY_FIRST_MS = 10_000;
const DELAY_FACTOR = 3;
const DELAY_MAX_MS = DAY_MS;
const JITTER = 0.1;

/** How long a receiver may take in total, and how much of its answer is read. */
export const ATTEMPT_DEADLINE_MS = 15_000;
export const ANSWER_BYTES_MAX = 64 * 1024;

export const URL_LENGTH_MAX = 2048;

/**
 * The state of a delivery. `Held`: its subscription is paused, and it waits outside its lane. `DeadLettered`: it is
 * not tried any more, because all attempts failed or the subscription was deleted.
 */
export const DELIVERY_STATES = ['Pending', 'Held', 'Delivered', 'DeadLettered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The state of an event that may be replayed. `NotSubscribed`: no subscription included its kind when it happened.
 */
export const REPLAY_STATES = ['DeadLettered', 'Delivered', 'NotSubscribed'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** Signing secrets of one subscription. */
export const SECRETS_MAX = 5;

/** How long an event and its deliveries are stored, with or without a subscription. */
export const EVENTS_KEPT_MS = 30 * DAY_MS;

/** The result of one attempt. */
export type DeliveryAttempt =
  | {
      readonly outcome: 'delivered' | 'rejected';
      readonly httpStatus: number;
      /** The bytes of the answer that were read. */
      readonly answer: Uint8Array;
      readonly tookMs: number;
    }
  | {
      readonly outcome: 'unreachable';
      readonly reason: UnreachableReason;
      /** What the owner of the receiver has to correct, such as an expired certificate; null if it is not known. */
      readonly cause: string | null;
      readonly tookMs: number;
    };

export type UnreachableReason = 'timeout' | 'dns' | 'tls' | 'refused' | 'reset' | 'forbidden';

/** Any 2xx is a success; a redirect is not followed and counts as a failure. */
export function isDeliveredBy(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus <= 299;
}

/**
 * When to try again after that many failed attempts, or null once all are spent: 10 s, tripling, at
 * most a day, give or take a tenth. The jitter is between 0 and 1; the scale shortens all delays alike.
 */
export function computeNextAttemptAt(failure: {
  readonly attempts: number;
  readonly failedAt: Date;
  readonly jitter: number;
  readonly scale: number;
}): Date | null {
  const { attempts, failedAt, jitter, scale } = failure;
  assert(Number.isSafeInteger(attempts) && attempts >= 1, `not a number of attempts: ${attempts}`);
  assert(jitter >= 0 && jitter <= 1 && scale > 0, 'jitter is between 0 and 1, scale above 0');
  if (attempts >= ATTEMPTS_MAX) return null;
  const delayMs = Math.min(DELAY_FIRST_MS * DELAY_FACTOR ** (attempts - 1), DELAY_MAX_MS);
  const jitteredMs = delayMs * (1 - JITTER + 2 * JITTER * jitter);
  return new Date(failedAt.getTime() + Math.round(jitteredMs * scale));
}

/**
 * The lane in which an event is first tried. A session's events stay in order across retries; an
 * intent's only at the first attempt, a failed one moves to a lane of its own.
 */
export function formatLaneKey(envelope: Envelope): string {
  return getEventSubjectId(envelope);
}

/** The lane in which one replay sends the events of one subject. */
export function formatReplayLaneKey({ replayId, subjectId }: { replayId: string; subjectId: string }): string {
  return `${replayId}/${subjectId}`;
}

/**
 * The lanes of events for EPOSes: those that are called, and those that receive only while they hold a socket open.
 * Each account has its own; an event whose attempt failed moves to a lane of its own.
 */
export const EPOS_LANES = { called: 'epos/rest', connected: 'epos/ws' } as const;

/** How long an event waits for an EPOS to open its socket, and the interval of the checks. */
export const EPOS_WAIT_MAX_MS = DAY_MS;
export const EPOS_LOOK_AGAIN_MS = 10_000;

/** Whether a lane is one in which events for an EPOS are first tried. */
export function isEposLane(key: string): boolean {
  return key === EPOS_LANES.called || key === EPOS_LANES.connected;
}

/**
 * Whether a failed event moves from this lane to one of its own, so that the following ones continue: events of an
 * intent and of an EPOS do.
 */
export function isLetGo(key: string): boolean {
  return isEposLane(key) || isId('paymentIntent', key.slice(key.lastIndexOf('/') + 1));
}
