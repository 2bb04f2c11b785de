import { createTableLink, listEposSessions } from '@pos/rest-contracts/sandbox';
import { callSandbox } from '../restaurant/sandbox-request.js';

/** Creates the address of the guest's page of the first table with an open bill; null: no bill is open. */
export async function createGuestAddress(accountId: string, tid: string): Promise<string | null> {
  const { sessions } = await callSandbox(listEposSessions, { params: { accountId } });
  const open = sessions.find(
    ({ isPayable, isLocked, totalAmount, paidAmount }) => isPayable && !isLocked && paidAmount < totalAmount,
  );
  if (open === undefined) return null;
  const body = { sessionId: open.sessionId };
  return (await callSandbox(createTableLink, { params: { accountId, tid }, body })).path;
}
