import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { ProblemError } from '@pos/rest-contracts/client';
import * as intents from '@pos/rest-contracts/payment-intent-operations';
import * as rest from '@pos/rest-contracts/terminal-sessions';
import * as terminals from '@pos/rest-contracts/terminals';
import { defineStatement } from '@pos/store/statement';
import { ApiWorld, GBP_20, jsonOf, problemOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;
const read = (terminalSessionId: string) => world.client()(rest.readTerminalSession, { params: { terminalSessionId } });
const cancel = (id: string) => world.send('PUT', `/terminal-sessions/${id}/cancel`);

describe('a terminal', () => {
  const UNSEEN = defineStatement(
    'test_unseen',
    `update connections set seen_at = seen_at - $4 * interval '1 second', alive_until = alive_until - $4 * interval '1 second'
     where account_id = $1 and environment = $2
       and key = (select tid from terminals where account_id = $1 and environment = $2 and id = $3) returning key`,
  );
  let scope: Scope;
  let key: string;

  beforeAll(async () => {
    ({ scope, key } = await world.newcomer());
  });

  async function unseenFor(seconds: number): Promise<string> {
    const id = await world.terminal({ scope });
    const { accountId, environment } = scope;
    await world.place.database.transact(scope, (tx) => tx.query(UNSEEN, [accountId, environment, id, seconds]));
    return id;
  }

  test('is what its newest line and its sessions say it is', async () => {
    const onLine = await world.terminal({ scope });
    const never = await world.terminal({ scope, isConnected: false });
    const busyAlone = await world.terminal({ scope, inUse: true });
    const quiet = await unseenFor(30);
    const lost = await unseenFor(61);
    const selling = await world.terminal({ scope });
    const body = {
      terminalId: selling,
      details: { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } },
    } as const;
    await world.client(key)(rest.createTerminalSession, { body });
    const lostWhileSelling = await world.terminal({ scope });
    await world.client(key)(rest.createTerminalSession, { body: { ...body, terminalId: lostWhileSelling } });
    await world.place.database.transact(scope, (tx) =>
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
      JSON.parse((await world.send('GET', `/terminals${query}`, { key })).text) as terminals.Terminal[];
    const all = await list('');
    expect(all.map(({ id, status }) => [id, status])).toEqual(expected);
    expect(all.map(({ properties }) => properties.tid)).toEqual(
      [...all].map(({ properties }) => properties.tid).sort(),
    );
    expect(all[0]).toEqual({
      id: onLine,
      properties: { tid: expect.any(String) as unknown },
      status: 'Available',
      updatedAt: MOMENT,
    });
    for (const [id, status] of expected) {
      expect((await world.client(key)(terminals.readTerminal, { params: { terminalId: id } })).status).toBe(status);
    }
    // The time of change follows the status, whatever it follows from.
    const ageMs = (id: string) => Date.now() - Date.parse(all.find((each) => each.id === id)!.updatedAt);
    const created = defineStatement(
      'test_terminal_created',
      `update terminals set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'
       where account_id = $1 and environment = $2 returning id`,
    );
    await world.place.database.transact(scope, (tx) => tx.query(created, [scope.accountId, scope.environment]));
    all.splice(0, all.length, ...(await list('')));
    expect(ageMs(never)).toBeGreaterThan(80_000_000);
    for (const id of [onLine, busyAlone, quiet, lost, selling, lostWhileSelling]) {
      expect(ageMs(id)).toBeLessThan(3_600_000);
    }
    const session = (await world.client(key)(rest.createTerminalSession, { body: { ...body, terminalId: quiet } })).id;
    const begun = (await world.client(key)(terminals.readTerminal, { params: { terminalId: quiet } })).updatedAt;
    await world.client(key)(rest.cancelTerminalSession, { params: { terminalSessionId: session } });
    const { createdAt } = await world.client(key)(rest.readTerminalSession, { params: { terminalSessionId: session } });
    expect(begun).toBe(createdAt);
    const of = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await of('?statuses=offline')).toEqual([never, lost]);
    expect(await of('?statuses=Offline,Available&Statuses=')).toEqual([onLine, never, lost]);
    expect(await of('?statuses=Offline&STATUSES=InUse')).toEqual([
      ...[never, busyAlone, quiet, lost, selling, lostWhileSelling],
    ]);
  });
});

describe('a session', () => {
  test('shows its progress, and at the end the card and both receipts', async () => {
    const { id: paymentIntentId } = await world.intent();
    const made = await world.sale(paymentIntentId);
    const begun = {
      id: expect.stringMatching(/^ts_sandbox_[\da-f]{24}$/) as unknown,
      terminalId: expect.stringMatching(/^tm_sandbox_[\da-f]{24}$/) as unknown,
      status: 'InitiateRequested',
      sessionType: 'Sale',
      paymentIntentId,
      createdAt: MOMENT,
      updatedAt: MOMENT,
      expireAt: MOMENT,
      notificationEvents: [],
      statusEvents: [{ status: 'InitiateRequested', createdAt: MOMENT, debugMessage: '' }],
      details: { sessionType: 'Sale', sale: { paymentIntentId } },
    };
    expect(made).toEqual(begun);
    expect(Date.parse(made.expireAt) - Date.parse(made.createdAt)).toBe(10_000);
    await world.approve(made.id);
    const done = await read(made.id);
    const receipt = { lines: expect.any(Array) as unknown };
    expect(done).toEqual({
      ...begun,
      status: 'Captured',
      notificationEvents: [{ notificationType: 'PresentCard', createdAt: MOMENT }],
      statusEvents: ['InitiateRequested', 'Initiated', 'Captured'].map((status) => ({
        status,
        createdAt: MOMENT,
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
    jsonOf(await world.send('POST', '/terminal-sessions', { body: { TerminalId: await world.terminal(), ...body } }))[
      'details'
    ];

  test('is asked for flat as well as nested', async () => {
    const { id: paymentIntentId } = await world.intent();
    expect(await flat({ sessionType: 'sale', paymentIntentId })).toEqual({
      sessionType: 'Sale',
      sale: { paymentIntentId },
    });
    const paid = await world.intentIn('Captured');
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

  // prettier-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['nothing at all', {}, ['details']],
    ['a member of another theme', { details: { sessionType: 'Sale', sale: { paymentIntentId: 'x' }, unlinkedRefund: { amount: GBP_20 } } }, ['details.unlinkedRefund']],
    ['no member of its theme', { details: { sessionType: 'Sale' } }, ['details.sale']],
    ['two themes', { sessionType: 'Sale', details: { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId: 'x' } } }, ['details.sessionType']],
    ['a payment that is to be unlinked', { sessionType: 'UnlinkedRefund', amount: GBP_20, paymentIntentId: 'x' }, ['paymentIntentId']],
    ['nothing to give back', { sessionType: 'UnlinkedRefund', amount: { value: 0, currencyCode: 'GBP' } }, ['amount.value']],
  ])('with %s is refused', async (_, body, members) => {
    const answer = await world.send('POST', '/terminal-sessions', { body: { terminalId: 'x', ...body } });
    const problem = problemOf(answer);
    expect([answer.status, problem.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(members.filter((member) => !(member in problem.errors))).toEqual([]);
  });

  test('is cancelled twice as well as once, but not with a card in the machine', async () => {
    const { id } = await world.sale(await world.intentIn('Created'));
    expect([jsonOf(await cancel(id))['status'], jsonOf(await cancel(id))['status']]).toEqual([
      'CancelRequested',
      'CancelRequested',
    ]);
    const other = await world.sale(await world.intentIn('Created'));
    await world.report(other.id, { number: 1, kind: 'confirmed' });
    await world.report(other.id, { number: 2, kind: 'notification', notificationType: 'EnterPin' });
    expect(problemOf(await cancel(other.id))).toMatchObject({ status: 422, detail: 'a card is in the machine' });
  });

  test.each([
    [true, 'Captured', 'Captured', true],
    [false, 'SignatureVerificationRejected', 'Reversed', false],
  ])('whose signature is judged: %s', async (accepted, status, intentStatus, hasCustomerCopy) => {
    const paymentIntentId = await world.intentIn('Created');
    const { id } = await world.sale(paymentIntentId);
    await world.approve(id, { isSignatureRequired: true });
    const waiting = await read(id);
    expect([waiting.status, 'merchantReceipt' in waiting, 'customerReceipt' in waiting, 'receipt' in waiting]).toEqual([
      'SignatureVerificationRequired',
      true,
      false,
      false,
    ]);
    const params = { terminalSessionId: id };
    const judged = await world.client()(rest.decideSignature, { params, body: { accepted } });
    expect([judged.status, 'merchantReceipt' in judged, 'customerReceipt' in judged]).toEqual([
      status,
      true,
      hasCustomerCopy,
    ]);
    const intent = await world.client()(intents.readPaymentIntent, { params: { paymentIntentId } });
    expect(intent.status).toBe(intentStatus);
    const again = await world.send('PUT', `/terminal-sessions/${id}/signature`, { body: { accepted } });
    expect([again.status, await world.refusalOf(again)]).toEqual([422, 'signature_not_awaited']);
  });

  test('of 20 wanted at once on one terminal, one is had; of one intent on 10 terminals, one', async () => {
    const outcome = (asked: Promise<unknown>) =>
      asked.then(
        () => 'had',
        (error: unknown) => (error instanceof ProblemError ? (error.problem.code ?? '') : String(error)),
      );
    const terminalId = await world.terminal();
    const wanted = await Promise.all(Array.from({ length: 20 }, () => world.intentIn('Created')));
    const onOne = await Promise.all(wanted.map((id) => outcome(world.sale(id, terminalId))));
    expect([...onOne].sort()).toEqual([...Array.from({ length: 19 }, () => 'TERMINAL_UNAVAILABLE'), 'had']);
    const id = await world.intentIn('Created');
    const free = await Promise.all(Array.from({ length: 10 }, () => world.terminal()));
    const ofOne = await Promise.all(free.map((each) => outcome(world.sale(id, each))));
    expect([...ofOne].sort()).toEqual([...Array.from({ length: 9 }, () => 'INVALID_REQUEST'), 'had']);
  });

  test('of production begins where an acquirer is configured for it', async () => {
    const served = await ApiWorld.open({ ACQUIRER_ADDRESS_PRODUCTION: 'acquirer.example:443' });
    try {
      const terminalId = await served.terminal({ scope: served.production });
      const body = { terminalId, sessionType: 'UnlinkedRefund', amount: GBP_20 };
      const answer = await served.send('POST', '/terminal-sessions', { key: served.keys.production, body });
      expect([answer.status, String(jsonOf(answer)['id'])]).toEqual([200, expect.stringMatching(/^ts_prod_/)]);
    } finally {
      await served.close();
    }
  });
});
