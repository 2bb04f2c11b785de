import { BookingKind, BookingStatus, Outcome } from '@pos/grpc-contracts/acquirer';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultAnswer } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { Stage } from '../scene/flow.js';
import { checkReceived, checkRefused, describeAnswer, isUndecided, type MadeCall, requireResult } from './answers.js';
import { lateLimitMs, POLL_MS } from './inquiries.js';

/** A reversal of an authorisation, or of the rest of its hold. */
export interface Reversal {
  readonly reference: string;
  readonly originalReference: string;
  readonly releaseRest: boolean;
}

/** A new reversal of the authorisation with this reference. */
export function newReversal({ scene }: Stage, originalReference: string, releaseRest = false): Reversal {
  return { reference: scene.newReference(), originalReference, releaseRest };
}

/** Sends a reversal, and checks only what holds for every answer. */
export async function sendReversal(stage: Stage, reversal: Reversal): Promise<ResultAnswer> {
  const { profile, connection } = stage.scene;
  const answer = await connection.call('reverse', { ...reversal, merchantId: profile.merchantId });
  checkReceived(stage, toReversalCall(reversal), answer);
  return answer;
}

/**
 * Reverses until it is acknowledged, as the service does: an adapter may say that it does not know yet. `released` is
 * what a release gives up; a reversal without it undoes everything.
 */
export async function reverse(
  stage: Stage,
  reversal: Reversal,
  { clause, released }: { readonly clause: ClauseId; readonly released?: bigint },
): Promise<void> {
  const { scene, step } = stage;
  const endsAtMs = performance.now() + lateLimitMs(scene);
  let answer = await sendReversal(stage, reversal);
  while (isUndecided(answer) && performance.now() < endsAtMs && !step.signal.aborted) {
    await pause(POLL_MS);
    answer = await sendReversal(stage, reversal);
  }
  acceptReversal(stage, reversal, { answer, clause, ...(released !== undefined && { released }) });
}

/** Checks an answer that must acknowledge the reversal, and notes what it changes in the books. */
export function acceptReversal(
  stage: Stage,
  reversal: Reversal,
  {
    answer,
    clause,
    released,
  }: { readonly answer: ResultAnswer; readonly clause: ClauseId; readonly released?: bigint },
): void {
  const { scene, step } = stage;
  const result = requireResult(stage, toReversalCall(reversal), answer);
  step.require(result.outcome === Outcome.OUTCOME_APPROVED, {
    ...{ clause, member: 'Reverse.outcome', expected: 'APPROVED', found: describeAnswer(answer) },
  });
  step.check(result.originalReference === reversal.originalReference, {
    ...{ clause: 'answer.original', member: 'Reverse.original_reference', expected: reversal.originalReference },
    found: result.originalReference,
  });
  const { reference, originalReference } = reversal;
  scene.books.acknowledge(reference);
  const held = scene.books
    .lines()
    .find((line) => line.reference === originalReference && line.kind === BookingKind.BOOKING_KIND_AUTHORISE);
  // What is undone already is undone by nothing else: another reversal need not be listed.
  if (held === undefined || held.status === BookingStatus.BOOKING_STATUS_REVERSED) return;
  const raised = scene.books
    .lines()
    .filter((line) => line.originalReference === originalReference && line.kind === BookingKind.BOOKING_KIND_INCREASE)
    .reduce((sum, { amount }) => sum + amount, held.amount);
  const amount = reversal.releaseRest ? (released ?? raised) : raised;
  scene.books.book({
    ...{ reference, originalReference, kind: BookingKind.BOOKING_KIND_REVERSE, amount, currency: held.currency },
  });
  if (!reversal.releaseRest) scene.books.undo(originalReference);
}

/** Sends a reversal that must be refused. */
export async function doRefusedReversal(
  stage: Stage,
  reversal: Reversal,
  { clause, of }: { readonly clause: ClauseId; readonly of: string },
): Promise<void> {
  const answer = await sendReversal(stage, reversal);
  checkRefused(stage, toReversalCall(reversal), { answer, clause, of });
}

function toReversalCall({ reference, originalReference }: Reversal): MadeCall {
  return { method: 'Reverse', reference, originalReference };
}
