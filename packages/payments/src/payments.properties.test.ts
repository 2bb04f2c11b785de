import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { add, exceeds } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intent';
import { gbp } from '@pos/core/testing';
import { statement } from '@pos/store/statement';
import fc from 'fast-check';
import { Machine } from './card-machine/testing.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  heardOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  type World,
} from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld({ patienceMs: 400 });
});
afterAll(async () => {
  await world.close();
});

const OPEN = statement(
  'open_calls',
  `select reference from acquirer_calls where account_id = $1 and environment = $2 and state <> 'Settled'`,
);

/** An evening at random: people order, pay, change their minds; machines and the acquirer fall silent. */
class Evening {
  readonly intents: PaymentIntent['id'][] = [];
  readonly machines: Machine[] = [];
  readonly charged = new Set<Machine>();
  readonly givingBack = new Set<PaymentIntent['id']>();

  constructor(readonly shop: Shop) {}

  async order(captureMode: 'Auto' | 'Manual'): Promise<void> {
    this.intents.push(await createIntent(world, this.shop, { captureMode }));
  }

  async sell(pick: number): Promise<void> {
    const paymentIntentId = this.#pick(this.intents, pick);
    if (paymentIntentId === undefined) return;
    const terminal = this.shop.terminals[pick % 2 === 0 ? 0 : 1];
    this.machines.push(await Machine.order(world, this.shop, { sessionType: 'Sale', paymentIntentId, terminal }));
  }

  /** A guest who simply pays, on whichever machine is free. */
  async pay(captureMode: 'Auto' | 'Manual', pick: number): Promise<void> {
    await this.order(captureMode);
    await this.sell(this.intents.length - 1 + this.intents.length * pick);
    await this.machine(this.machines.length - 1, 'charge');
    await this.machine(this.machines.length - 1, 'tell');
  }

  async refund(pick: number, amount: number | null): Promise<void> {
    const paymentIntentId = this.#pick(this.intents, pick);
    if (paymentIntentId === undefined) return;
    const terminal = this.shop.terminals[pick % 2 === 0 ? 1 : 0];
    const wish = {
      sessionType: 'MatchedRefund',
      paymentIntentId,
      amount: amount === null ? null : gbp(amount),
    } as const;
    this.machines.push(await Machine.order(world, this.shop, { ...wish, terminal }));
  }

  /** The machine gets on with it: confirms, reads a card, tells. It never lies. */
  async machine(pick: number, does: 'confirm' | 'charge' | 'tell' | 'sign' | 'give up'): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine === undefined) return;
    if (does === 'confirm') await machine.confirm();
    if (does === 'charge' && !this.#isOver(await machine.read())) await this.#charge(machine);
    if (does === 'tell' || does === 'sign') await this.#tell(machine, does === 'sign');
    if (does === 'give up' && !this.charged.has(machine)) await machine.report({ kind: 'canceled' });
  }

  async judge(pick: number, isAccepted: boolean): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine === undefined) return;
    await act(world, this.shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, isAccepted));
  }

  async stop(pick: number): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine !== undefined) await act(world, this.shop, (tx) => world.sessions.cancel(tx, machine.session.id));
  }

  async cancel(pick: number): Promise<void> {
    const intentId = this.#pick(this.intents, pick);
    if (intentId !== undefined) await act(world, this.shop, (tx) => world.intents.cancel(tx, intentId));
  }

  async giveBack(pick: number): Promise<void> {
    const intentId = this.#pick(this.intents, pick);
    if (intentId === undefined) return;
    this.givingBack.add(intentId);
    await this.#giveBack(intentId);
  }

  /** The acquirer is up again, every machine has told what it did, and time has passed. */
  async end(): Promise<void> {
    world.door.rules.replace([]);
    for (let round = 0; round < 4; round += 1) {
      for (const machine of this.machines) await this.#tell(machine, false);
      await elapse(world, this.shop.scope, 90_000);
    }
    // Who gives back asks until it is done, as the table's payments do.
    for (const intentId of this.givingBack) await refusalOf(this.#giveBack(intentId));
  }

  #giveBack(intentId: PaymentIntent['id']): Promise<unknown> {
    return world.giveBack.run(this.shop.scope, { intentId, reference: `back ${intentId}` });
  }

  async #charge(machine: Machine): Promise<void> {
    await machine.charge().catch(() => undefined);
    const { outcome } = world.door.acquirer.inquire(machine.session.acquirerReference);
    if (outcome === 'Approved') this.charged.add(machine);
  }

  async #tell(machine: Machine, isSignatureRequired: boolean): Promise<void> {
    if (!this.charged.has(machine)) {
      if (this.#isOver(await machine.read())) await machine.report({ kind: 'canceled' });
      return;
    }
    const approval = machine.recall();
    await machine.report({ kind: 'approved', approval, isSignatureRequired });
  }

  #isOver({ status }: { readonly status: string }): boolean {
    return ['Expired', 'Canceled', 'CancelRequested'].includes(status);
  }

  #pick<T>(from: readonly T[], pick: number): T | undefined {
    return from[pick % Math.max(1, from.length)];
  }
}

type Command = (evening: Evening) => Promise<unknown>;

const pick = fc.nat({ max: 6 });
const COMMANDS: readonly (readonly [number, fc.Arbitrary<readonly [string, Command]>])[] = [
  [3, fc.constantFrom('Auto', 'Manual').map((mode) => [`order ${mode}`, (evening) => evening.order(mode)])],
  [
    4,
    fc
      .tuple(fc.constantFrom('Auto', 'Auto', 'Manual'), fc.nat({ max: 1 }))
      .map(([mode, which]) => [`pay ${mode}`, (evening) => evening.pay(mode, which)]),
  ],
  [4, pick.map((which) => [`sell ${which}`, (evening) => evening.sell(which)])],
  [
    8,
    fc
      .tuple(pick, fc.constantFrom('confirm', 'charge', 'charge', 'tell', 'tell', 'sign', 'give up'))
      .map(([which, does]) => [`machine ${which} ${does}`, (evening) => evening.machine(which, does)]),
  ],
  [
    2,
    fc
      .tuple(pick, fc.constantFrom(null, 300, 1_900))
      .map(([which, amount]) => [`refund ${which} ${amount}`, (evening) => evening.refund(which, amount)]),
  ],
  [
    2,
    fc
      .tuple(pick, fc.boolean())
      .map(([which, yes]) => [`judge ${which} ${yes}`, (evening) => evening.judge(which, yes)]),
  ],
  [1, pick.map((which) => [`stop ${which}`, (evening) => evening.stop(which)])],
  [1, pick.map((which) => [`cancel ${which}`, (evening) => evening.cancel(which)])],
  [2, pick.map((which) => [`give back ${which}`, (evening) => evening.giveBack(which)])],
  [
    2,
    fc
      .constantFrom(5_000, 11_000, 91_000, 86_400_000)
      .map((byMs) => [`wait ${byMs}`, (evening) => elapse(world, evening.shop.scope, byMs)]),
  ],
  [
    1,
    fc.constantFrom('down', 'up').map((standing) => [
      standing,
      async () => {
        world.door.rules.replace(standing === 'up' ? [] : [{ match: {}, effect: 'down' }]);
      },
    ]),
  ],
];

/** Nothing is ever taken or given back twice, and every change of status is told once. */
async function expectInvariants({ shop, intents, machines }: Evening): Promise<void> {
  for (const id of intents) {
    const intent = await readIntent(world, shop, id);
    expect(exceeds(add(intent.captured, intent.pendingCapture), intent.authorized)).toBe(false);
    expect(exceeds(add(intent.refunded, intent.pendingRefund), intent.captured)).toBe(false);
    const told = (await heardOf(world, shop.scope, id)).map((each) => each.replace('created ', ''));
    expect(told.at(-1)).toBe(intent.status);
    expect(new Set(told).size).toBe(told.length);
  }
  for (const machine of machines) {
    const told = await heardOf(world, shop.scope, machine.session.id);
    const statuses = told.filter((each) => !each.includes(' '));
    expect(new Set(statuses).size).toBe(statuses.length);
    const { status } = await machine.read();
    expect(statuses.at(-1) ?? 'InitiateRequested').toBe(status);
  }
}

test('whatever people, machines and the acquirer do, no penny is lost or taken twice', async () => {
  const evenings = fc.array(fc.oneof(...COMMANDS.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 12,
    maxLength: 30,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(evenings, async (commands) => {
      const evening = new Evening(await openShop(world));
      try {
        await evening.order('Auto');
        await evening.sell(0);
        for (const [, command] of commands) {
          await refusalOf(command(evening));
          await expectInvariants(evening);
        }
      } finally {
        await evening.end();
      }
      await expectInvariants(evening);
      await expectSound(world, evening.shop);
      const { accountId, environment } = evening.shop.scope;
      const open = await world.database.read(evening.shop.scope, (reader) =>
        reader.query(OPEN, [accountId, environment]),
      );
      expect(open).toEqual([]);
    }),
    { numRuns: 10 },
  );
}, 60_000);
