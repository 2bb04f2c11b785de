import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NotificationType, SESSION_STATUSES, type SessionStatus } from '@pos/core/terminal-session';
import { approvalOf } from '@pos/core/testing';
import { findTerminalSession } from '@pos/store/terminal-sessions';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { expectCovered, notAsked, stateTable } from '@pos/service-kit/testing-coverage';
import { ApiWorld, jsonOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

/** A session that is in this status, by what brings real ones there. */
async function sessionIn(status: SessionStatus): Promise<string> {
  const { id: intent } = await world.intent({ captureMode: status === 'Authorized' ? 'Manual' : 'Auto' });
  const { id } = await world.sale(intent);
  const confirm = () => world.report(id, { number: 1, kind: 'confirmed' });
  const decide = (accepted: boolean) => world.send('PUT', `/terminal-sessions/${id}/signature`, { body: { accepted } });
  switch (status) {
    case 'InitiateRequested':
      return id;
    case 'Initiated':
      await confirm();
      return id;
    case 'CancelRequested':
      await confirm();
      await world.send('PUT', `/terminal-sessions/${id}/cancel`);
      return id;
    case 'SignatureVerificationRequired':
      await world.approve(id, { isSignatureRequired: true });
      return id;
    case 'SignatureVerificationAccepted':
      await world.approve(id, { isSignatureRequired: true });
      // It is passed in the same moment, and only whoever writes into the row can ask in it.
      await world.look(`update terminal_sessions set status = $2 where id = $1 returning id`, [id, status]);
      return id;
    case 'SignatureVerificationRejected':
      await world.approve(id, { isSignatureRequired: true });
      await decide(false);
      return id;
    case 'Authorized':
    case 'Captured':
      await world.approve(id);
      return id;
    case 'Canceled':
      await confirm();
      await world.report(id, { number: 2, kind: 'canceled' });
      return id;
    case 'Declined':
      await confirm();
      await decline(id);
      return id;
    case 'Expired':
      await expire(id);
      return id;
  }
}

async function decline(id: string): Promise<void> {
  const session = await world.place.database.read(world.sandbox, (reader) => findTerminalSession(reader, id));
  const result = { ...approvalOf(session!.total, { reference: session!.acquirerReference }), authCode: '' };
  await world.report(id, { number: 2, kind: 'declined', result });
}

/** Nobody confirms, and its ten seconds are over. */
async function expire(id: string): Promise<void> {
  await world.look(`update terminal_sessions set expire_at = created_at where id = $1 returning id`, [id]);
  await world.place.database.transact(world.sandbox, (tx) => world.sessions.applyWindowExpiry(tx, id));
}

const ask =
  (method: string, tail = '', body?: unknown) =>
  async (id: string) =>
    (await world.send(method, `/terminal-sessions/${id}${tail}`, body === undefined ? {} : { body })).status;

// prettier-ignore
const BY_STATE: readonly [string, (id: string) => Promise<number>, ...number[]][] = [
  //                          InitiateRequested Initiated CancelRequested SignatureRequired SignatureAccepted SignatureRejected Authorized Captured Canceled Declined Expired
  ['GET', ask('GET'),                                       200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  ['cancel', ask('PUT', '/cancel'),                         200, 200, 200, 422, 422, 422, 422, 422, 422, 422, 422],
  ['signature accepted', ask('PUT', '/signature', { accepted: true }), 422, 422, 422, 200, 422, 422, 422, 422, 422, 422, 422],
  ['signature rejected', ask('PUT', '/signature', { accepted: false }), 422, 422, 422, 200, 422, 422, 422, 422, 422, 422, 422],
];

describe('the answer by state', () => {
  test.each(BY_STATE)('%s', async (_, act, ...expected) => {
    const answers: number[] = [];
    for (const status of SESSION_STATUSES) {
      const id = await sessionIn(status);
      expect(jsonOf(await world.send('GET', `/terminal-sessions/${id}`))['status']).toBe(status);
      answers.push(await act(id));
    }
    expect(Object.fromEntries(SESSION_STATUSES.map((each, at) => [each, answers[at]]))).toEqual(
      Object.fromEntries(SESSION_STATUSES.map((each, at) => [each, expected[at]])),
    );
  });

  test('stands in docs/reference/response-coverage.md, and leaves out no operation', () => {
    expect(
      notAsked(
        API_OPERATIONS.filter(({ path }) => path.includes('{terminalSessionId}')),
        world.lines,
      ),
    ).toEqual([]);
    const rows = BY_STATE.map(([says, , ...answers]) => ({ says, answers }));
    expectCovered('sessions', stateTable(SESSION_STATUSES, rows));
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
    const id = await sessionIn('Initiated');
    await world.report(id, { number: 2, kind: 'notification', notificationType });
    expect(await ask('PUT', '/cancel')(id)).toBe(status);
  },
);
