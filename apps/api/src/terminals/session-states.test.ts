import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NotificationType, SESSION_STATUSES, type SessionStatus } from '@pos/core/terminals';
import { createApproval } from '@pos/core/testing';
import { findTerminalSession } from '@pos/store/terminals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { expectCovered, findUncalledOperations, formatStateTable } from '@pos/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

/** A session in this status, reached by the calls and reports of real sessions. */
async function createSessionIn(status: SessionStatus): Promise<string> {
  const { id: intent } = await testEnvironment.createIntent({
    captureMode: status === 'Authorized' ? 'Manual' : 'Auto',
  });
  const { id } = await testEnvironment.startSale(intent);
  const confirm = () => testEnvironment.applyReport(id, { number: 1, kind: 'confirmed' });
  const decide = (accepted: boolean) =>
    testEnvironment.sendRequest('PUT', `/terminal-sessions/${id}/signature`, { body: { accepted } });
  switch (status) {
    case 'InitiateRequested':
      return id;
    case 'Initiated':
      await confirm();
      return id;
    case 'CancelRequested':
      await confirm();
      await testEnvironment.sendRequest('PUT', `/terminal-sessions/${id}/cancel`);
      return id;
    case 'SignatureVerificationRequired':
      await testEnvironment.approveSession(id, { isSignatureRequired: true });
      return id;
    case 'SignatureVerificationAccepted':
      await testEnvironment.approveSession(id, { isSignatureRequired: true });
      // A real session leaves this status in the transaction that reaches it, so the test writes it into the row.
      await testEnvironment.queryRows(`update terminal_sessions set status = $2 where id = $1 returning id`, [
        id,
        status,
      ]);
      return id;
    case 'SignatureVerificationRejected':
      await testEnvironment.approveSession(id, { isSignatureRequired: true });
      await decide(false);
      return id;
    case 'Authorized':
    case 'Captured':
      await testEnvironment.approveSession(id);
      return id;
    case 'Canceled':
      await confirm();
      await testEnvironment.applyReport(id, { number: 2, kind: 'canceled' });
      return id;
    case 'Declined':
      await confirm();
      await declineSession(id);
      return id;
    case 'Expired':
      await expireSession(id);
      return id;
  }
}

async function declineSession(id: string): Promise<void> {
  const session = await testEnvironment.testDatabase.database.read(testEnvironment.sandbox, (reader) =>
    findTerminalSession(reader, id),
  );
  const result = { ...createApproval(session!.total, { reference: session!.acquirerReference }), authCode: '' };
  await testEnvironment.applyReport(id, { number: 2, kind: 'declined', result });
}

/** The machine does not confirm, and the window of ten seconds has passed. */
async function expireSession(id: string): Promise<void> {
  await testEnvironment.queryRows(`update terminal_sessions set expire_at = created_at where id = $1 returning id`, [
    id,
  ]);
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, (tx) =>
    testEnvironment.sessions.applyWindowExpiry(tx, id),
  );
}

const createSender =
  (method: string, tail = '', body?: unknown) =>
  async (id: string) =>
    (await testEnvironment.sendRequest(method, `/terminal-sessions/${id}${tail}`, body === undefined ? {} : { body }))
      .status;

// oxfmt-ignore
const BY_STATE: readonly [string, (id: string) => Promise<number>, ...number[]][] = [
  //                          InitiateRequested Initiated CancelRequested SignatureRequired SignatureAccepted SignatureRejected Authorized Captured Canceled Declined Expired
  ['GET', createSender('GET'),                                       200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  ['cancel', createSender('PUT', '/cancel'),                         200, 200, 200, 422, 422, 422, 422, 422, 422, 422, 422],
  ['signature accepted', createSender('PUT', '/signature', { accepted: true }), 422, 422, 422, 200, 422, 422, 422, 422, 422, 422, 422],
  ['signature rejected', createSender('PUT', '/signature', { accepted: false }), 422, 422, 422, 200, 422, 422, 422, 422, 422, 422, 422],
];

describe('the answer by state', () => {
  test.each(BY_STATE)('%s', async (_, act, ...expected) => {
    const answers: number[] = [];
    for (const status of SESSION_STATUSES) {
      const id = await createSessionIn(status);
      expect(parseJson(await testEnvironment.sendRequest('GET', `/terminal-sessions/${id}`))['status']).toBe(status);
      answers.push(await act(id));
    }
    expect(Object.fromEntries(SESSION_STATUSES.map((each, at) => [each, answers[at]]))).toEqual(
      Object.fromEntries(SESSION_STATUSES.map((each, at) => [each, expected[at]])),
    );
  });

  test('docs/reference/response-coverage.md lists the answers of every operation', () => {
    expect(
      findUncalledOperations(
        API_OPERATIONS.filter(({ path }) => path.includes('{terminalSessionId}')),
        testEnvironment.logLines,
      ),
    ).toEqual([]);
    const rows = BY_STATE.map(([says, , ...answers]) => ({ says, answers }));
    expectCovered('sessions', formatStateTable(SESSION_STATUSES, rows));
  });
});

test.each<[NotificationType, number]>([
  ['PresentCard', 200],
  ['InsertCard', 200],
  ['PresentOnlyOneCard', 200],
  ['CardUnsupported', 200],
  ['CardError', 200],
  ['ReEnterCard', 200],
  ['PleaseWait', 422],
  ['EnterPin', 422],
  ['RemoveCard', 422],
  ['Approved', 422],
  ['Declined', 422],
])(
  'after %s a cancel call is answered %i: a card is in the machine from then on, or is not',
  async (notificationType, status) => {
    const id = await createSessionIn('Initiated');
    await testEnvironment.applyReport(id, { number: 2, kind: 'notification', notificationType });
    expect(await createSender('PUT', '/cancel')(id)).toBe(status);
  },
);
