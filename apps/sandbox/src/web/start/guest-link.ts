import type { createTableLink, listEposSessions } from '@pos/rest-contracts/sandbox';
import { callSandbox } from '../restaurant/sandbox-request.js';

/** Creates the address of the guest's page of the first table with an open bill; null: no bill is open. */
export async function createGuestAddress(accountId: string, tid: string): Promise<string | null> {
  const account = encodeURIComponent(accountId);
  const { sessions } = await callSandbox<typeof listEposSessions>({ method: 'GET', path: `/epos/${account}/sessions` });
  const open = sessions.find(
    ({ isPayable, isLocked, totalAmount, paidAmount }) => isPayable && !isLocked && paidAmount < totalAmount,
  );
  if (open === undefined) return null;
  const path = `/machines/${account}/${encodeURIComponent(tid)}/table-links`;
  const body = { sessionId: open.sessionId };
  return (await callSandbox<typeof createTableLink>({ method: 'POST', path, body })).path;
}
