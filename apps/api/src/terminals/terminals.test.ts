import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { ProblemError } from '@pos/rest-contracts/client';
import * as intents from '@pos/rest-contracts/payment-intents';
import * as rest from '@pos/rest-contracts/terminal-sessions';
import * as terminals from '@pos/rest-contracts/accounts';
import { defineStatement } from '@pos/postgres/statements';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ANY_MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;
const readSession = (terminalSessionId: string) =>
  testEnvironment.createClient()(rest.readTerminalSession, { params: { terminalSessionId } });
const cancelSession = (id: string) => testEnvironment.sendRequest('PUT', `/terminal-sessions/${id}/cancel`);

describe('a terminal', () => {
  const AGE_TERMINALS = defineStatement(
    'test_terminal_created',
    `update terminals set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'
   where account_id = $1 and environment = $2 returning id`,
  );
  const UNSEEN = defineStatement(
    'test_unseen',
    `update connections set seen_at = seen_at - $4 * interval '1 second', alive_until = alive_until - $4 * interval '1 second'
     where account_id = $1 and environment = $2
       and key = (select tid from terminals where account_id = $1 and environment = $2 and id = $3) returning key`,
  );
  let scope: Scope;
  let key: string;

  beforeAll(async () => {
    ({ scope, key } = await testEnvironment.createAccount());
  });

  async function unseenFor(seconds: number): Promise<string> {
    const id = await testEnvironment.createTerminal({ scope });
    const { accountId, environment } = scope;
    await testEnvironment.testDatabase.database.transact(scope, (tx) =>
      tx.query(UNSEEN, [accountId, environment, id, seconds]),
    );
    return id;
  }

  test('has the status that its newest connection and its sessions imply', async () => {
    const client = testEnvironment.createClient(key);
    const onLine = await testEnvironment.createTerminal({ scope });
    const never = await testEnvironment.createTerminal({ scope, isConnected: false });
    const busyAlone = await testEnvironment.createTerminal({ scope, inUse: true });
    const quiet = await unseenFor(30);
    const lost = await unseenFor(61);
    const selling = await testEnvironment.createTerminal({ scope });
    const body = {
      terminalId: selling,
      details: { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } },
    } as const;
    await client(rest.createTerminalSession, { body });
    const lostWhileSelling = await testEnvironment.createTerminal({ scope });
    await client(rest.createTerminalSession, {
      body: { ...body, terminalId: lostWhileSelling },
    });
    await testEnvironment.testDatabase.database.transact(scope, (tx) =>
      tx.query(UNSEEN, [scope.accountId, scope.environment, lostWhileSelling, 61]),
    );
    const expected = [
      [onLine, 'Available'],
      [never, 'Offline'],
      [busyAlone, 'InUse'],
      [quiet, 'Available'],
      [lost, 'Offline'],
      [selling, 'InUse'],
      [lostWhileSelling, 'InUse'],
    ] as const;
    const list = async (query: string) =>
      JSON.parse(
        (await testEnvironment.sendRequest('GET', `/terminals${query}`, { key })).text,
      ) as terminals.Terminal[];
    const all = await list('');
    expect(all.map(({ id, status }) => [id, status])).toEqual(expected);
    expect(all.map(({ properties }) => properties.tid)).toEqual(
      [...all].map(({ properties }) => properties.tid).sort(),
    );
    expect(all[0]).toEqual({
      id: onLine,
      properties: { tid: expect.any(String) as unknown },
      status: 'Available',
      updatedAt: ANY_MOMENT,
    });
    for (const [id, status] of expected) {
      expect((await client(terminals.readTerminal, { params: { terminalId: id } })).status).toBe(status);
    }
    // The time of change follows the status, for every cause of a status.
    const ageMs = (id: string) => Date.now() - Date.parse(all.find((each) => each.id === id)!.updatedAt);
    await testEnvironment.testDatabase.database.transact(scope, (tx) =>
      tx.query(AGE_TERMINALS, [scope.accountId, scope.environment]),
    );
    all.splice(0, all.length, ...(await list('')));
    expect(ageMs(never)).toBeGreaterThan(80_000_000);
    for (const id of [onLine, busyAlone, quiet, lost, selling, lostWhileSelling]) {
      expect(ageMs(id)).toBeLessThan(3_600_000);
    }
    const { id: session } = await client(rest.createTerminalSession, { body: { ...body, terminalId: quiet } });
    const started = (await client(terminals.readTerminal, { params: { terminalId: quiet } })).updatedAt;
    await client(rest.cancelTerminalSession, { params: { terminalSessionId: session } });
    const { createdAt } = await client(rest.readTerminalSession, { params: { terminalSessionId: session } });
    expect(started).toBe(createdAt);
    const of = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await of('?statuses=offline')).toEqual([never, lost]);
    expect(await of('?statuses=Offline,Available&Statuses=')).toEqual([onLine, never, lost]);
    expect(await of('?statuses=Offline&STATUSES=InUse')).toEqual([
      ...[never, busyAlone, quiet, lost, selling, lostWhileSelling],
    ]);
  });
});

describe('a session', () => {
  test('reports its progress, and at the end the card and both receipts', async () => {
    const { id: paymentIntentId } = await testEnvironment.createIntent();
    const createdValue = await testEnvironment.startSale(paymentIntentId);
    const started = {
      id: expect.stringMatching(/^ts_sandbox_[\da-f]{24}$/) as unknown,
      terminalId: expect.stringMatching(/^tm_sandbox_[\da-f]{24}$/) as unknown,
      status: 'InitiateRequested',
      sessionType: 'Sale',
      paymentIntentId,
      createdAt: ANY_MOMENT,
      updatedAt: ANY_MOMENT,
      expireAt: ANY_MOMENT,
      notificationEvents: [],
      statusEvents: [{ status: 'InitiateRequested', createdAt: ANY_MOMENT, debugMessage: '' }],
      details: { sessionType: 'Sale', sale: { paymentIntentId } },
    };
    expect(createdValue).toEqual(started);
    expect(Date.parse(createdValue.expireAt) - Date.parse(createdValue.createdAt)).toBe(10_000);
    await testEnvironment.approveSession(createdValue.id);
    const done = await readSession(createdValue.id);
    const receipt = { lines: expect.any(Array) as unknown };
    expect(done).toEqual({
      ...started,
      status: 'Captured',
      notificationEvents: [{ notificationType: 'PresentCard', createdAt: ANY_MOMENT }],
      statusEvents: ['InitiateRequested', 'Initiated', 'Captured'].map((status) => ({
        status,
        createdAt: ANY_MOMENT,
        debugMessage: '',
      })),
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' },
      customerReceipt: receipt,
      merchantReceipt: receipt,
      receipt,
    });
    expect(done.receipt).toEqual(done.customerReceipt);
    expect(done.receipt).not.toEqual(done.merchantReceipt);
    expect(done.updatedAt).toBe(done.statusEvents.at(-1)?.createdAt);
    expect(Date.parse(done.expireAt) - Date.parse(done.createdAt)).toBe(90_000);
  });

  const flat = async (body: Record<string, unknown>) =>
    parseJson(
      await testEnvironment.sendRequest('POST', '/terminal-sessions', {
        body: { TerminalId: await testEnvironment.createTerminal(), ...body },
      }),
    )['details'];

  test('is created from flat and from nested members', async () => {
    const { id: paymentIntentId } = await testEnvironment.createIntent();
    expect(await flat({ sessionType: 'sale', paymentIntentId })).toEqual({
      sessionType: 'Sale',
      sale: { paymentIntentId },
    });
    const paid = await testEnvironment.createIntentIn('Captured');
    const matched = {
      sessionType: 'MatchedRefund',
      matchedRefund: { paymentIntentId: paid, amount: { value: 500, currencyCode: 'GBP' } },
    };
    expect(
      await flat({
        sessionType: 'MatchedRefund',
        paymentIntentId: paid,
        amount: { value: '500', currencyCode: 'gbp' },
      }),
    ).toEqual(matched);
    const left = { ...matched.matchedRefund, amount: { value: 1500, currencyCode: 'GBP' } };
    expect(await flat({ details: { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId: paid } } })).toEqual(
      { ...matched, matchedRefund: left },
    );
    const amount = { value: 7, currencyCode: 'EUR' };
    expect(await flat({ sessionType: 'UnlinkedRefund', amount })).toEqual({
      sessionType: 'UnlinkedRefund',
      unlinkedRefund: { amount, cardholderNotPresent: false },
    });
  });

  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['nothing at all', {}, ['details']],
    ['a member of another theme', { details: { sessionType: 'Sale', sale: { paymentIntentId: 'x' }, unlinkedRefund: { amount: GBP_20 } } }, ['details.unlinkedRefund']],
    ['no member of its theme', { details: { sessionType: 'Sale' } }, ['details.sale']],
    ['two themes', { sessionType: 'Sale', details: { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId: 'x' } } }, ['details.sessionType']],
    ['a payment that is to be unlinked', { sessionType: 'UnlinkedRefund', amount: GBP_20, paymentIntentId: 'x' }, ['paymentIntentId']],
    ['nothing to give back', { sessionType: 'UnlinkedRefund', amount: { value: 0, currencyCode: 'GBP' } }, ['amount.value']],
  ])('with %s is refused', async (_, body, members) => {
    const answer = await testEnvironment.sendRequest('POST', '/terminal-sessions', { body: { terminalId: 'x', ...body } });
    const problem = parseProblem(answer);
    expect([answer.status, problem.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(members.filter((member) => !(member in problem.errors))).toEqual([]);
  });

  test('may be cancelled twice, but not with a card in the machine', async () => {
    const { id } = await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'));
    expect([parseJson(await cancelSession(id))['status'], parseJson(await cancelSession(id))['status']]).toEqual([
      'CancelRequested',
      'CancelRequested',
    ]);
    const other = await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'));
    await testEnvironment.applyReport(other.id, { number: 1, kind: 'confirmed' });
    await testEnvironment.applyReport(other.id, { number: 2, kind: 'notification', notificationType: 'EnterPin' });
    expect(parseProblem(await cancelSession(other.id))).toMatchObject({
      status: 422,
      detail: 'a card is in the machine',
    });
  });

  test.each([
    [true, 'Captured', 'Captured', true],
    [false, 'SignatureVerificationRejected', 'Reversed', false],
  ])('whose signature is decided: accepted %s', async (accepted, status, intentStatus, hasCustomerCopy) => {
    const paymentIntentId = await testEnvironment.createIntentIn('Created');
    const { id } = await testEnvironment.startSale(paymentIntentId);
    await testEnvironment.approveSession(id, { isSignatureRequired: true });
    const waiting = await readSession(id);
    expect([waiting.status, 'merchantReceipt' in waiting, 'customerReceipt' in waiting, 'receipt' in waiting]).toEqual([
      'SignatureVerificationRequired',
      true,
      false,
      false,
    ]);
    const params = { terminalSessionId: id };
    const decided = await testEnvironment.createClient()(rest.decideSignature, { params, body: { accepted } });
    expect([decided.status, 'merchantReceipt' in decided, 'customerReceipt' in decided]).toEqual([
      status,
      true,
      hasCustomerCopy,
    ]);
    const intent = await testEnvironment.createClient()(intents.readPaymentIntent, { params: { paymentIntentId } });
    expect(intent.status).toBe(intentStatus);
    const repeated = await testEnvironment.sendRequest('PUT', `/terminal-sessions/${id}/signature`, {
      body: { accepted },
    });
    expect([repeated.status, await testEnvironment.findRefusal(repeated)]).toEqual([422, 'signature_not_awaited']);
  });

  test('starts once for 20 requests on one terminal, and once for one intent on 10 terminals', async () => {
    const outcome = (request: Promise<unknown>) =>
      request.then(
        () => 'had',
        (error: unknown) => (error instanceof ProblemError ? (error.problem.code ?? '') : String(error)),
      );
    const terminalId = await testEnvironment.createTerminal();
    const wanted = await Promise.all(Array.from({ length: 20 }, () => testEnvironment.createIntentIn('Created')));
    const onOne = await Promise.all(wanted.map((id) => outcome(testEnvironment.startSale(id, terminalId))));
    expect([...onOne].sort()).toEqual([...Array.from({ length: 19 }, () => 'TERMINAL_UNAVAILABLE'), 'had']);
    const id = await testEnvironment.createIntentIn('Created');
    const free = await Promise.all(Array.from({ length: 10 }, () => testEnvironment.createTerminal()));
    const ofOne = await Promise.all(free.map((each) => outcome(testEnvironment.startSale(id, each))));
    expect([...ofOne].sort()).toEqual([...Array.from({ length: 9 }, () => 'INVALID_REQUEST'), 'had']);
  });

  test('of production starts only where an acquirer is configured for it', async () => {
    const served = await ApiTestEnvironment.open(({ acquirer }) =>
      Promise.resolve({ ACQUIRER_ADDRESS_PRODUCTION: acquirer.address }),
    );
    try {
      const terminalId = await served.createTerminal({ scope: served.production });
      const body = { terminalId, sessionType: 'UnlinkedRefund', amount: GBP_20 };
      const answer = await served.sendRequest('POST', '/terminal-sessions', { key: served.keys.production, body });
      expect([answer.status, String(parseJson(answer)['id'])]).toEqual([200, expect.stringMatching(/^ts_prod_/)]);
    } finally {
      await served.close();
    }
  });
});
