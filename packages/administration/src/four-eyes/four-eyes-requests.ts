import {
  type ActionOutcome,
  type ForwardedAction,
  type FourEyesDecider,
  type FourEyesRequest,
  readActionState,
  requireDecidable,
} from '@pos/core/administration';
import type { PortalUserId, Scope } from '@pos/core/identity';
import { isUuid } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import { HOUR_MS } from '@pos/core/time';
import type { Database, Reader, Tx } from '@pos/store/database';
import {
  findEqualRequest,
  findFourEyesRequest,
  findRepeatedRequest,
  insertFourEyesRequest,
  listFourEyesRequests,
  lockFourEyesRequest,
  storeDecision,
  storeOutcome,
} from '@pos/store/four-eyes';
import { findIntent } from '@pos/store/payments';
import { getAccount } from '@pos/store/repositories';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '@pos/payments/paging';
import { recordChange, requireLockedAccount, requireReason } from '@pos/payments/audit';
import {
  type GiveBackTarget,
  hashRequest,
  isMadeByRequester,
  mayGiveBack,
  readGiveBackAmount,
} from '@pos/payments/four-eyes';

/** The session of a user of the portal. */
export interface PortalPerson {
  readonly userId: PortalUserId;
  readonly sessionHash: string;
}

/** An action of a user that the API has refused without a second person. */
export interface RefusedAction {
  readonly action: ForwardedAction;
  readonly fingerprintInput: string;
  readonly target: GiveBackTarget;
  /** The idempotency key of the page, so that a repeated request is one. */
  readonly idempotencyKey: string | null;
}

/**
 * Stores what a second person has to approve. A repeat under the same idempotency key finds the first request, and so
 * does an equal one of the same user while that waits, or is approved and its end is not known.
 */
export async function requestSecondPerson(
  tx: Tx,
  { userId, sessionHash }: PortalPerson,
  { action, fingerprintInput, target, idempotencyKey }: RefusedAction,
): Promise<FourEyesRequest> {
  const { method, path, version, operationId } = action;
  const actionHash = hashRequest({ method, path, version, fingerprintInput });
  // Pressed again: two requests could both be approved, and would give the money back twice. One after another, because
  // two at the same moment would not find each other.
  await requireLockedAccount(tx);
  const equal = await findEqualRequest(tx, { requestedBy: userId, actionHash });
  if (equal !== null) return equal;
  const paymentIntentId = target.kind === 'payment' ? target.paymentIntentId : null;
  const intent = paymentIntentId === null ? null : await findIntent(tx, paymentIntentId);
  const amount = readGiveBackAmount(target, intent);
  const { settings } = await getAccount(tx);
  const summary = {
    ...{ operationId, paymentIntentId },
    ...{ amount: amount?.value ?? null, currency: amount?.currencyCode ?? null },
  };
  const id = await tx.newUuid();
  const repeatKey = `${userId} ${idempotencyKey ?? id}`;
  const isNew = await insertFourEyesRequest(tx, {
    ...{ id, action, actionHash, summary, repeatKey, requestedBy: userId, sessionHash, reason: 'by the portal' },
    ...{
      requestedAt: tx.databaseNow,
      expiresAt: new Date(tx.databaseNow.getTime() + settings.fourEyes.hours * HOUR_MS),
    },
  });
  const stored = await findRepeatedRequest(tx, repeatKey);
  if (stored === null || !stored.actionHash.equals(actionHash)) {
    throw new Refusal('idempotency_key_reused', 'the key was used for another request');
  }
  if (isNew) {
    const change = { actor: userId, reason: stored.reason };
    const { expiresAt } = stored;
    await recordChange(tx, change, {
      ...{ action: 'RequestFourEyes', subject: id },
      after: { ...summary, method, path, actionHash: actionHash.toString('hex'), expiresAt: expiresAt.toISOString() },
    });
  }
  return stored;
}

/** A decision about a request by another person. */
export interface FourEyesDecision {
  readonly id: string;
  readonly isApproved: boolean;
  readonly reason: string;
}

/**
 * Approves or refuses a request, of two decisions at once the first. Refuses one by the requester, by another session of
 * theirs, or by a user whom they have made; and to approve what the requester may no longer do.
 */
export async function decideFourEyesRequest(
  database: Database,
  scope: Scope,
  { person, decision }: { readonly person: PortalPerson; readonly decision: FourEyesDecision },
): Promise<FourEyesRequest> {
  const { id, isApproved, reason } = decision;
  requireReason({ actor: person.userId, reason });
  const found = requireFound(await database.read(scope, (reader) => findFourEyesRequest(reader, id)));
  const decider = { ...person, isMadeByRequester: await isMadeByRequester(database, found, person.userId) };
  requireDecidable(found, decider, await database.now());
  return database.transact(scope, async (tx) => {
    const request = await requireLockedRequest(tx, id);
    requireDecidable(request, decider, tx.databaseNow);
    if (isApproved && !(await mayGiveBack(tx, request.requestedBy, 'payment'))) {
      throw new Refusal('second_person_refused', 'the requester may not give money back any more');
    }
    const state = isApproved ? 'Approved' : 'Refused';
    await storeDecision(tx, id, { state, decidedBy: person.userId, reason });
    await recordChange(
      tx,
      { actor: person.userId, reason },
      {
        ...{ action: isApproved ? 'ApproveFourEyes' : 'RefuseFourEyes', subject: id },
        before: { state: request.state, requestedBy: request.requestedBy },
        after: { state, actionHash: request.actionHash.toString('hex') },
      },
    );
    return requireLockedRequest(tx, id);
  });
}

/** An approved request, to be sent (again) under its key. Refuses another state. */
export async function requireApprovedRequest(tx: Tx, id: string): Promise<FourEyesRequest> {
  const request = await requireLockedRequest(tx, id);
  if (request.state === 'Approved') return request;
  throw new Refusal('four_eyes_request_decided', `the request is ${request.state}`);
}

/** Stores what the API has answered, if that is the end of the action. */
export async function finishFourEyesRequest(
  tx: Tx,
  { userId }: Pick<FourEyesDecider, 'userId'>,
  { id, outcome }: { readonly id: string; readonly outcome: ActionOutcome },
): Promise<FourEyesRequest> {
  const state = readActionState(outcome);
  if (state !== 'Approved' && (await storeOutcome(tx, id, { state, outcome }))) {
    const change = { actor: userId, reason: 'the answer to the approved action' };
    await recordChange(tx, change, {
      ...{ action: 'FinishFourEyes', subject: id },
      after: { state, status: outcome.status, reason: outcome.reason },
    });
  }
  return requireLockedRequest(tx, id);
}

/** A page of requests, newest first. */
export interface FourEyesRequestPage extends PageCursors {
  readonly requests: readonly FourEyesRequest[];
}

/** Lists the requests of the scope. */
export async function listRequestsForSecondPerson(
  reader: Reader,
  { limit, ...query }: PageQuery,
): Promise<FourEyesRequestPage> {
  const page = await listFourEyesRequests(reader, { limit, ...readPosition(reader.scope, isUuid, query) });
  return { requests: page.elements, ...buildPageCursors(reader.scope, page) };
}

async function requireLockedRequest(tx: Tx, id: string): Promise<FourEyesRequest> {
  return requireFound(await lockFourEyesRequest(tx, id));
}

function requireFound(request: FourEyesRequest | null): FourEyesRequest {
  if (request === null) throw new Refusal('four_eyes_request_unknown', 'there is no such request');
  return request;
}
