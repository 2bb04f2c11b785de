import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { sessionEventsOf } from '@pos/store/terminal-sessions';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  moveClock,
  openShop,
  openWorld,
  readIntent,
  type Shop,
  timersOf,
  toldOf,
  work,
  type World,
} from './testing.js';
import { Machine } from './card-machine/testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

/** What the merchant, the subscriber and the acquirer see of a sale when its story is over. */
interface Ending {
  readonly heard: readonly string[];
  readonly intent: string;
  readonly history: readonly string[];
  readonly call: string;
}

const CREATED = 'created InitiateRequested';
const ASKED = ['SignatureVerificationRequired', 'signature_verification_required SignatureVerificationRequired'];
const PAID = { intent: 'Captured', history: ['Captured'], call: 'Settled Approved' } as const;
const UNPAID = { intent: 'Created', history: [], call: 'Settled Canceled' } as const;

interface Story {
  readonly says: string;
  readonly captureMode?: 'Manual';
  readonly happens: (machine: Machine, shop: Shop) => Promise<unknown>;
  readonly then: Ending;
}

const confirmed = async (machine: Machine): Promise<void> => {
  await machine.confirm();
};
const signed = async (machine: Machine): Promise<void> => {
  await machine.confirm();
  await machine.approve(true);
};
const cancel = ({ session }: Machine, shop: Shop) => act(world, shop, (tx) => world.sessions.cancel(tx, session.id));
const judge = ({ session }: Machine, shop: Shop, isAccepted: boolean) =>
  act(world, shop, (tx) => world.sessions.decideSignature(tx, session.id, isAccepted));

const SALES: readonly Story[] = [
  {
    says: 'an approved payment is taken',
    happens: async (machine) => {
      await confirmed(machine);
      await machine.approve();
    },
    then: { ...PAID, heard: [CREATED, 'Initiated', 'Captured'] },
  },
  {
    says: 'an approved payment of a Manual intent is held',
    captureMode: 'Manual',
    happens: async (machine) => {
      await confirmed(machine);
      await machine.approve();
    },
    then: {
      heard: [CREATED, 'Initiated', 'Authorized'],
      intent: 'Authorized',
      history: ['Authorized'],
      call: 'Settled Approved',
    },
  },
  {
    says: 'an approval says that the machine had begun, should its confirmation be lost',
    happens: (machine) => machine.approve(),
    then: { ...PAID, heard: [CREATED, 'Initiated', 'Captured'] },
  },
  {
    says: 'a signature that the merchant accepts',
    happens: async (machine, shop) => {
      await signed(machine);
      await judge(machine, shop, true);
    },
    then: { ...PAID, heard: [CREATED, 'Initiated', ...ASKED, 'SignatureVerificationAccepted', 'Captured'] },
  },
  {
    says: 'a signature on a Manual intent leads to a hold',
    captureMode: 'Manual',
    happens: async (machine, shop) => {
      await signed(machine);
      await judge(machine, shop, true);
    },
    then: {
      heard: [CREATED, 'Initiated', ...ASKED, 'SignatureVerificationAccepted', 'Authorized'],
      intent: 'Authorized',
      history: ['Authorized'],
      call: 'Settled Approved',
    },
  },
  {
    says: 'a signature that nobody judges for 80 s is accepted',
    happens: async (machine, shop) => {
      await signed(machine);
      await elapse(world, shop.scope, 79_000);
      expect((await machine.read()).status).toBe('SignatureVerificationRequired');
      await elapse(world, shop.scope, 1_000);
    },
    then: { ...PAID, heard: [CREATED, 'Initiated', ...ASKED, 'SignatureVerificationAccepted', 'Captured'] },
  },
  {
    says: 'a signature that the merchant rejects is undone at the acquirer',
    happens: async (machine, shop) => {
      await signed(machine);
      await judge(machine, shop, false);
      await work(world, shop.scope);
    },
    then: {
      heard: [CREATED, 'Initiated', ...ASKED, 'SignatureVerificationRejected'],
      intent: 'Reversed',
      history: ['Reversed'],
      call: 'Settled Reversed',
    },
  },
  {
    says: 'a card that is declined may be tried again',
    happens: async (machine) => {
      await confirmed(machine);
      await machine.decline();
    },
    then: {
      heard: [CREATED, 'Initiated', 'Declined'],
      intent: 'Created',
      history: ['Declined'],
      call: 'Settled Declined',
    },
  },
  {
    says: 'cancelled at the machine',
    happens: async (machine) => {
      await confirmed(machine);
      await machine.report({ kind: 'canceled' });
    },
    then: { ...UNPAID, heard: [CREATED, 'Initiated', 'Canceled'] },
  },
  {
    says: 'cancelled by the merchant before the machine has confirmed',
    happens: async (machine, shop) => {
      await cancel(machine, shop);
      await machine.report({ kind: 'canceled' });
    },
    then: { ...UNPAID, heard: [CREATED, 'CancelRequested', 'Canceled'] },
  },
  {
    says: 'cancelled by the merchant, who asks twice',
    happens: async (machine, shop) => {
      await confirmed(machine);
      await cancel(machine, shop);
      expect((await cancel(machine, shop)).session.status).toBe('CancelRequested');
      await machine.report({ kind: 'canceled' });
    },
    then: { ...UNPAID, heard: [CREATED, 'Initiated', 'CancelRequested', 'Canceled'] },
  },
  {
    says: 'a card that was in before the wish to cancel arrived pays',
    happens: async (machine, shop) => {
      await confirmed(machine);
      await cancel(machine, shop);
      await machine.approve();
    },
    then: { ...PAID, heard: [CREATED, 'Initiated', 'CancelRequested', 'Captured'] },
  },
  {
    says: 'a machine that cannot begin',
    happens: (machine) => machine.report({ kind: 'unable', reason: 'no paper' }),
    then: { ...UNPAID, heard: [CREATED, 'Canceled'] },
  },
  {
    says: 'a machine that does not confirm within 10 s; later it says that it never began',
    happens: async (machine, shop) => {
      await elapse(world, shop.scope, 9_000);
      expect((await machine.read()).status).toBe('InitiateRequested');
      await elapse(world, shop.scope, 1_000);
      expect((await machine.read()).status).toBe('Expired');
      await machine.report({ kind: 'unable', reason: 'restarted' });
    },
    then: { ...UNPAID, heard: [CREATED, 'Expired'] },
  },
  {
    says: 'a card that nobody presents for 90 s; then the machine says that it has ended',
    happens: async (machine, shop) => {
      await confirmed(machine);
      await elapse(world, shop.scope, 89_000);
      expect((await machine.read()).status).toBe('Initiated');
      await elapse(world, shop.scope, 1_000);
      expect(await machine.report({ kind: 'canceled' })).toBe(true);
    },
    then: { ...UNPAID, heard: [CREATED, 'Initiated', 'Expired'] },
  },
  {
    says: 'a wish to cancel that the machine never answers ends at 90 s',
    happens: async (machine, shop) => {
      await confirmed(machine);
      await cancel(machine, shop);
      await elapse(world, shop.scope, 90_000);
      expect((await machine.call()).state).toBe('Unknown');
      await machine.report({ kind: 'canceled' });
    },
    then: { ...UNPAID, heard: [CREATED, 'Initiated', 'CancelRequested', 'Expired'] },
  },
  {
    says: 'a confirmation that comes too late, before anybody looked at the clock, begins nothing',
    happens: async (machine, shop) => {
      await moveOn(shop, 10_500);
      expect(await machine.confirm()).toBe(false);
      expect(await machine.report({ kind: 'canceled' })).toBe(true);
    },
    then: { ...UNPAID, heard: [CREATED, 'Expired'] },
  },
];

test.each(SALES.map((story) => [story.says, story] as const))('%s', async (_says, { captureMode, happens, then }) => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop, { captureMode: captureMode ?? 'Auto' });
  const machine = await Machine.sale(world, shop, intentId);
  await happens(machine, shop);
  await work(world, shop.scope);
  const call = await machine.call();
  const intent = await readIntent(world, shop, intentId);
  expect({
    heard: await heardOf(world, shop.scope, machine.session.id),
    intent: intent.status,
    history: await historyOf(world, shop, intentId),
    call: `${call.state} ${call.outcome}`,
  }).toEqual(then);
  // The intent's own lane tells of its creation and of each change, once.
  const changes = then.intent === 'Created' ? [] : [then.intent];
  expect(await heardOf(world, shop.scope, intentId)).toEqual(['created Created', ...changes]);
  // Only what still waits for something keeps a deadline.
  const deadlines: Partial<Record<string, string[]>> = {
    Created: [`intent-expiry ${intentId}`],
    Authorized: [`hold-end ${intentId}`],
  };
  expect(await timersOf(world, shop)).toEqual(deadlines[then.intent] ?? []);
  await expectSound(world, shop);
});

test('a report that is repeated, and one that was overtaken, change nothing', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  const approval = await machine.charge();
  const report = { kind: 'approved', approval, isSignatureRequired: false, number: 3 } as const;
  expect(await machine.send(report)).toBe(true);
  const after = await machine.read();
  expect(await machine.send(report)).toBe(true);
  expect(await machine.send({ kind: 'canceled', number: 2 })).toBe(true);
  expect(await machine.read()).toEqual(after);
  expect(await heardOf(world, shop.scope, machine.session.id)).toEqual([CREATED, 'Initiated', 'Captured']);
});

test('the events of a PIN payment tell each step with the bytes that the contract shows', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop, { tipsAmount: gbp(150) });
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  for (const shown of ['PresentCard', 'PleaseWait', 'EnterPin', 'RemoveCard'] as const) await machine.show(shown);
  await machine.approve();
  expect(await heardOf(world, shop.scope, machine.session.id)).toEqual([
    ...[CREATED, 'Initiated', 'notification PresentCard', 'notification PleaseWait', 'notification EnterPin'],
    ...['notification RemoveCard', 'Captured'],
  ]);
  const session = await machine.read();
  const told = await toldOf(world, shop.scope, session.id);
  expect(told.at(-1)).toEqual({
    id: expect.stringMatching(/^evt_/),
    event: 'terminal_session.status_updated',
    accountId: shop.scope.accountId,
    createdAt: session.updatedAt.toISOString(),
    data: {
      terminalSessionId: session.id,
      state: 'Captured',
      terminalId: session.terminalId,
      createdAt: session.createdAt.toISOString(),
      updatedAt: session.updatedAt.toISOString(),
      expireAt: new Date(session.createdAt.getTime() + 90_000).toISOString(),
      sessionType: 'Sale',
      paymentIntentId: intentId,
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1014', authCode: session.approval?.authCode },
    },
  });
  expect(told[0]?.data).not.toHaveProperty('paymentDetails');
  const [, paid] = await toldOf(world, shop.scope, intentId);
  expect(paid?.data).toEqual({ paymentIntentId: intentId, paymentStatus: 'Captured', captureMode: 'Auto' });
  const events = await world.database.read(shop.scope, (reader) => sessionEventsOf(reader, session.id));
  expect(events.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    ...['status InitiateRequested', 'status Initiated', 'notification PresentCard', 'notification PleaseWait'],
    ...['notification EnterPin', 'notification RemoveCard', 'status Captured'],
  ]);
  expect(printed(session.customerReceipt)).toEqual(
    expect.arrayContaining(['The Corner Table', '020 7946 0000', 'SALE', 'SUCCESSFUL']),
  );
  expect(printed(session.merchantReceipt)).toEqual(expect.arrayContaining([expect.stringContaining(session.id)]));
  expect((await readIntent(world, shop, intentId)).captured).toEqual(gbp(2_150));
});

test('the slip to sign is there for the merchant at once, the customer copy only when the signature is accepted', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await signed(machine);
  const waiting = await machine.read();
  expect([waiting.customerReceipt === null, waiting.merchantReceipt === null]).toEqual([true, false]);
  expect((await readIntent(world, shop, waiting.paymentIntentId!)).status).toBe('Created');
  const { session } = await judge(machine, shop, true);
  expect([session.customerReceipt === null, session.merchantReceipt === null]).toEqual([false, false]);
});

function moveOn(shop: Shop, byMs: number): Promise<void> {
  return moveClock(world, shop.scope, byMs);
}

function printed(receipt: { readonly lines: readonly { readonly text?: { readonly value: string } }[] } | null) {
  return (receipt?.lines ?? []).map(({ text }) => text?.value ?? '');
}
