import {
  type AuditedChange,
  type GuardedOperation,
  hashOperation,
  isByRequester,
  OPERATOR_APPROVAL_HOURS,
  type OperatorApproval,
  readSource,
  requireOtherOperator,
  SYSTEM_SCOPE,
} from '@pos/core/administration';
import { createViolation, Refusal } from '@pos/core/refusals';
import { HOUR_MS } from '@pos/core/time';
import type { Database } from '@pos/store/database';
import {
  decideOperatorApproval,
  insertOperatorApproval,
  isRuleOwner,
  isSecondOperatorRequired,
  listOperatorApprovals,
  lockOpenApprovals,
  lockOperatorApproval,
  lockSecondOperatorRule,
  updateSecondOperatorRule,
} from '@pos/store/four-eyes';
import { countActiveOperators } from '@pos/store/portal';
import { recordChange, requireReason } from '@pos/payments/audit';
import { requireSecondOperator } from '@pos/payments/four-eyes';

const LISTED_MAX = 200;
const OPERATORS_MIN = 2;

/** Stores what a second operator has to approve. An equal request of the same person that is open is the same one. */
export async function requestSecondOperator(
  database: Database,
  change: AuditedChange,
  guarded: GuardedOperation,
): Promise<OperatorApproval> {
  requireReason(change);
  const { operation, target } = guarded;
  const actionHash = hashOperation(guarded);
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    // One after another: two open requests would be two approvals of one change.
    await lockSecondOperatorRule(tx);
    const open = (await lockOpenApprovals(tx, actionHash)).find((each) => isByRequester(each, change));
    if (open !== undefined) return open;
    const id = await tx.newUuid();
    const expiresAt = new Date(tx.databaseNow.getTime() + OPERATOR_APPROVAL_HOURS * HOUR_MS);
    await insertOperatorApproval(tx, {
      ...{ id, operation, target, actionHash, source: readSource(change), requestedBy: change.actor },
      ...{ operatingSystem: change.operatingSystem ?? null, reason: change.reason },
      ...{ requestedAt: tx.databaseNow, expiresAt },
    });
    await recordChange(tx, change, {
      ...{ action: 'RequestFourEyes', subject: id },
      after: { operation, target, actionHash: actionHash.toString('hex'), expiresAt: expiresAt.toISOString() },
    });
    return requireFound(await lockOperatorApproval(tx, id));
  });
}

/** Approves or refuses a request, of two decisions at once the first. Refuses one by somebody who can be the requester. */
export async function decideAboutOperator(
  database: Database,
  change: AuditedChange,
  { id, isApproved }: { readonly id: string; readonly isApproved: boolean },
): Promise<OperatorApproval> {
  requireReason(change);
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const request = requireFound(await lockOperatorApproval(tx, id));
    requireOtherOperator(request, change, tx.databaseNow);
    const state = isApproved ? 'Approved' : 'Refused';
    await decideOperatorApproval(tx, id, { state, decidedBy: change.actor, reason: change.reason });
    const { operation, target, requestedBy, actionHash } = request;
    await recordChange(tx, change, {
      ...{ action: isApproved ? 'ApproveFourEyes' : 'RefuseFourEyes', subject: id },
      before: { state: request.state, requestedBy },
      after: { state, operation, target, actionHash: actionHash.toString('hex') },
    });
    return requireFound(await lockOperatorApproval(tx, id));
  });
}

/** Whether a second operator is required, and the requests, newest first. */
export function listSecondOperatorRequests(
  database: Database,
): Promise<{ readonly isRequired: boolean; readonly now: Date; readonly requests: readonly OperatorApproval[] }> {
  return database.readSystem(async (reader) => ({
    ...{ isRequired: await isSecondOperatorRequired(reader), now: await database.now() },
    requests: await listOperatorApprovals(reader, LISTED_MAX),
  }));
}

/**
 * Requires a second operator, or stops it, which needs one itself. Refuses to require one unless two operators are
 * active. `isOwner`: the owner of the database stops it alone; refused over the connection of another login.
 */
export function requireSecondOperators(
  database: Database,
  change: AuditedChange,
  { isRequired, isOwner }: { readonly isRequired: boolean; readonly isOwner: boolean },
): Promise<void> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const before = await lockSecondOperatorRule(tx);
    if (isOwner && !(await isRuleOwner(tx))) {
      throw createViolation('validation_failed', 'asOwner', 'needs the login of the owner in DATABASE_OWNER_URL');
    }
    if (before === isRequired) {
      throw createViolation('validation_failed', 'rule', `is ${isRequired ? 'on' : 'off'} already`);
    }
    if (isRequired) {
      if ((await countActiveOperators(tx)) < OPERATORS_MIN) {
        throw createViolation('validation_failed', 'rule', 'needs two active operators: create the second one first');
      }
    } else if (!isOwner) {
      await requireSecondOperator(tx, change, { operation: 'StopRequiringSecondOperator', target: {} });
    }
    await updateSecondOperatorRule(tx, isRequired);
    await recordChange(tx, change, {
      ...{ action: 'RequireSecondOperator', subject: 'operator_rules' },
      ...{ before: { isRequired: before }, after: { isRequired, isOwner } },
    });
  });
}

function requireFound(approval: OperatorApproval | null): OperatorApproval {
  if (approval === null) throw new Refusal('four_eyes_request_unknown', 'there is no such request');
  return approval;
}
