import { BookingKind, type Result } from '@pos/grpc-contracts/acquirer';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultAnswer } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { Stage } from '../scene/flow.js';
import type { Payment } from '../scene/flow-context.js';
import { checkReceived, checkRefused, isUndecided, type MadeCall, requireApproval } from './answers.js';
import { lateLimitMs, POLL_MS } from './inquiries.js';

/** A capture, a refund or an increase. */
export interface FollowUp {
  readonly kind: keyof typeof KINDS;
  readonly reference: string;
  readonly originalReference: string;
  readonly amount: bigint;
  readonly currency: string;
}

const KINDS = {
  capture: { method: 'Capture', booked: BookingKind.BOOKING_KIND_CAPTURE, clause: 'capture.takes' },
  refund: { method: 'Refund', booked: BookingKind.BOOKING_KIND_REFUND, clause: 'refund.returns' },
  increaseAuthorisation: {
    ...{ method: 'IncreaseAuthorisation', booked: BookingKind.BOOKING_KIND_INCREASE, clause: 'increase.raises' },
  },
} as const satisfies Record<
  string,
  { readonly method: string; readonly booked: BookingKind; readonly clause: ClauseId }
>;

/** A new call about a payment. */
export function newFollowUp(
  { scene }: Stage,
  kind: FollowUp['kind'],
  { payment, amount }: { readonly payment: Payment; readonly amount: bigint },
): FollowUp {
  const { reference: originalReference, currency } = payment;
  return { kind, reference: scene.newReference(), originalReference, amount, currency };
}

export function toFollowUpCall({ kind, reference, originalReference }: FollowUp): MadeCall {
  return { method: KINDS[kind].method, reference, originalReference };
}

/** Sends the call, and checks only what holds for every answer. */
export async function sendFollowUp(stage: Stage, call: FollowUp): Promise<ResultAnswer> {
  const { kind, ...request } = call;
  const answer = await stage.scene.connection.call(kind, request);
  checkReceived(stage, toFollowUpCall(call), answer);
  return answer;
}

/**
 * Makes a call that must be approved, and notes its booking. `total`: what an increase raises the hold to. With
 * `isRepeated` a call that is in progress is repeated until it is decided.
 */
export async function doFollowUp(
  stage: Stage,
  call: FollowUp,
  { total, isRepeated = false }: { readonly total?: bigint; readonly isRepeated?: boolean } = {},
): Promise<Result> {
  const endsAtMs = performance.now() + lateLimitMs(stage.scene);
  let answer = await sendFollowUp(stage, call);
  while (isRepeated && isUndecided(answer) && performance.now() < endsAtMs && !stage.step.signal.aborted) {
    await pause(POLL_MS);
    answer = await sendFollowUp(stage, call);
  }
  const { kind, ...line } = call;
  const { clause, booked } = KINDS[kind];
  const expected = { clause, amount: total ?? call.amount, currency: call.currency, card: null };
  const result = requireApproval(stage, { made: toFollowUpCall(call), answer }, expected);
  stage.scene.books.book({ ...line, kind: booked });
  return result;
}

/** Sends a call that must be refused. */
export async function doRefusedFollowUp(
  stage: Stage,
  call: FollowUp,
  { clause, of }: { readonly clause: ClauseId; readonly of: string },
): Promise<void> {
  const answer = await sendFollowUp(stage, call);
  checkRefused(stage, toFollowUpCall(call), { answer, clause, of });
}
