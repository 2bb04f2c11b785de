import { type AcquirerMerchantId, getMerchantId } from '@pos/core/accounts';
import type { AuditedChange } from '@pos/core/administration';
import { Violations } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import {
  findOpenMoney,
  hasAuditActionSince,
  listClaimedMerchantIds,
  listRetiredMerchantIds,
  type OpenMoney,
  releaseMerchantId,
  retireMerchantId as storeRetirement,
} from '@pos/store/repositories';
import { recordChange, requireAccount, requireLockedAccount } from '@pos/payments/audit';

/** Processes use changed settings within two seconds, and finish what they have begun. */
const SETTLED_AFTER_MS = 60_000;

/** A number of the account at an acquirer, and whether new payments use it. */
export interface ListedMerchantId extends AcquirerMerchantId {
  readonly state: 'Used' | 'Kept' | 'Retired';
}

/**
 * Gives up a number of the account at an acquirer, although calls were made under it: a mistyped one. From the commit on
 * another account may have it, and its books are no longer compared for this account. The calls keep the number. Refuses
 * a number that new payments use, and one under which money is open.
 */
export async function retireMerchantId(
  tx: Tx,
  change: AuditedChange,
  request: Pick<AcquirerMerchantId, 'acquirer' | 'merchantId'>,
): Promise<AcquirerMerchantId> {
  const account = await requireLockedAccount(tx);
  const retired = { ...request, environment: tx.scope.environment };
  const violations = new Violations();
  const claimed = (await listClaimedMerchantIds(tx)).filter((each) => isSame(each, retired));
  const since = new Date(tx.databaseNow.getTime() - SETTLED_AFTER_MS);
  if (claimed.length === 0) violations.add('number', `is not a number of the account at ${retired.acquirer}`);
  else if (getMerchantId(account, retired) === retired.merchantId) {
    violations.add('number', 'is used for new payments: set another one first (merchantId, merchantIds)');
  } else if (await hasAuditActionSince(tx, 'ChangeSettings', since)) {
    violations.add('number', 'may still be used: settings were changed less than a minute ago');
  } else {
    const open = describeOpenMoney(await findOpenMoney(tx, retired));
    if (open.length > 0) violations.add('number', `has money that is open: ${open.join(', ')}`);
  }
  violations.throwIfAny('the number cannot be retired');
  await releaseMerchantId(tx, retired);
  await storeRetirement(tx, retired);
  await recordChange(tx, change, {
    ...{ action: 'RetireMerchantId', subject: `${retired.acquirer}/${retired.merchantId}` },
    before: { acquirer: retired.acquirer, merchantId: retired.merchantId },
  });
  return retired;
}

/** The numbers of the account in the environment of the scope. Refuses an unknown account. */
export async function listMerchantIdStates(reader: Reader): Promise<ListedMerchantId[]> {
  const account = await requireAccount(reader);
  const { environment } = reader.scope;
  const claimed = (await listClaimedMerchantIds(reader)).filter((each) => each.environment === environment);
  const listed = [
    ...claimed.map((each): ListedMerchantId => {
      const isUsed = getMerchantId(account, each) === each.merchantId;
      return { ...each, state: isUsed ? 'Used' : 'Kept' };
    }),
    ...(await listRetiredMerchantIds(reader)).map((each): ListedMerchantId => ({ ...each, state: 'Retired' })),
  ];
  return listed.toSorted((first, second) => formatName(first).localeCompare(formatName(second)));
}

function describeOpenMoney({ openCalls, keptPayments, openDifferences, isUncompared }: OpenMoney): string[] {
  return [
    ...(openCalls > 0 ? [`${openCalls} calls without an outcome`] : []),
    ...(keptPayments > 0 ? [`${keptPayments} payments whose money is not wholly given back`] : []),
    ...(openDifferences > 0 ? [`${openDifferences} open differences`] : []),
    ...(isUncompared ? ['days that are not compared with the books of the acquirer'] : []),
  ];
}

function isSame(first: AcquirerMerchantId, second: AcquirerMerchantId): boolean {
  return first.environment === second.environment && formatName(first) === formatName(second);
}

function formatName({ acquirer, merchantId }: AcquirerMerchantId): string {
  return JSON.stringify([acquirer, merchantId]);
}
