import { readPortalOverview, readPortalSession } from '@pos/rest-contracts/portal';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { SessionAnswer } from './answers.js';
import { callOperation, RequestProblem } from './call-operation.js';
import { OVERVIEW, PAYMENTS, queryClient, SESSION, SIGN_IN_OPTIONS } from './queries.js';
import { sessionQuery } from './session-query.js';

afterEach(() => {
  jest.restoreAllMocks();
  queryClient.clear();
});

function answer(status: number, body: object): void {
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(body), { status }));
}

const ENDED = { reason: 'portal_session_missing', title: 'Nobody is signed in.' };
const SIGNED_IN = { current: { accountId: 'acc_1', environment: 'sandbox' } } as unknown as SessionAnswer;

/** What a page has in memory while a user of an account works. */
function fillCache(): void {
  queryClient.setQueryData([SESSION], SIGNED_IN);
  queryClient.setQueryData([SIGN_IN_OPTIONS], { hasProvider: false });
  queryClient.setQueryData([PAYMENTS, 'list'], ['a payment of the account']);
  queryClient.setQueryData([OVERVIEW], { turnover: 7 });
}

const listCached = (): unknown[] =>
  queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey[0]);

test('when the session has ended, the next user of the page sees no data of the former account', async () => {
  fillCache();
  answer(401, ENDED);
  await expect(callOperation(readPortalOverview, {})).rejects.toThrow(RequestProblem);
  expect(queryClient.getQueryData([SESSION])).toBeNull();
  expect(listCached().sort()).toEqual([SESSION, SIGN_IN_OPTIONS]);
});

test('the same when the session itself is read', async () => {
  fillCache();
  answer(401, ENDED);
  expect(await queryClient.query({ ...sessionQuery, staleTime: 0 })).toBeNull();
  expect(listCached().sort()).toEqual([SESSION, SIGN_IN_OPTIONS]);
});

test('another refusal keeps the data', async () => {
  fillCache();
  answer(403, { reason: 'permission_missing' });
  await expect(callOperation(readPortalSession, {})).rejects.toThrow(RequestProblem);
  expect(listCached()).toHaveLength(4);
});
