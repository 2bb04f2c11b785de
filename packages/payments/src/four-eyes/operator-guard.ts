import {
  type AuditedChange,
  type GuardedOperation,
  hashOperation,
  isByRequester,
  SecondOperatorNeeded,
} from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { completeOperatorApproval, isSecondOperatorRequired, lockOpenApprovals } from '@pos/store/four-eyes';
import { insertAuditEntry } from '@pos/store/repositories';

/**
 * Refuses `SecondOperatorNeeded` for a change that one operator may not do alone, unless a second one has approved
 * exactly this change of exactly this requester. On the operators' pages such a change is refused. Call it in the transaction of the change: the approval ends with it, so
 * it is used once, and stays if the change fails.
 */
export async function requireSecondOperator(tx: Tx, change: AuditedChange, guarded: GuardedOperation): Promise<void> {
  if (!(await isSecondOperatorRequired(tx))) return;
  if (change.operatingSystem === undefined) {
    // A person may have a user of the portal and a shell, and could be both people.
    throw new Refusal('permission_missing', 'this needs two operators: make the change with pos-admin');
  }
  const open = await lockOpenApprovals(tx, hashOperation(guarded));
  const approval = open.find((each) => each.state === 'Approved' && isByRequester(each, change));
  if (approval === undefined) throw new SecondOperatorNeeded(guarded);
  await completeOperatorApproval(tx, approval.id);
  const { actor, reason, operatingSystemUser = null } = change;
  const { operation, target, decidedBy, actionHash } = approval;
  await insertAuditEntry(tx, {
    ...{ actor, reason, operatingSystemUser, action: 'FinishFourEyes', subject: approval.id, before: null },
    after: { operation, target, approvedBy: decidedBy, actionHash: actionHash.toString('hex') },
  });
}

/**
 * Refuses a user of the portal who makes or loosens a production key through the public API, while a second operator is
 * required: only operators do that then, on their pages. Keys pass: they give no more than they have.
 */
export async function refuseKeyOfUser(tx: Tx, caller: { readonly actor?: PortalUserId }): Promise<void> {
  if (caller.actor === undefined || tx.scope.environment !== 'production') return;
  if (await isSecondOperatorRequired(tx)) {
    throw new Refusal('permission_missing', 'production keys need two operators of the service: ask them');
  }
}
