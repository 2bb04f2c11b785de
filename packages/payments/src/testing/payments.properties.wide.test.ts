import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { add, exceeds } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { gbp } from '@pos/core/testing';
import { defineStatement } from '@pos/postgres/statements';
import fc from 'fast-check';
import { TestCardMachine } from './card-machine.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  listPublishedStates,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
} from './test-environment.js';
import { expectConsistent } from './consistency-checks.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment({ patienceMs: 400 });
});
afterAll(async () => {
  await testEnvironment.close();
});

const OPEN = defineStatement(
  'open_calls',
  `select reference from acquirer_calls where account_id = $1 and environment = $2 and state <> 'Settled'`,
);

/** A random evening: people order, pay and change their minds; machines and the acquirer stop answering. */
class PaymentScenario {
  readonly intents: PaymentIntent['id'][] = [];
  readonly machines: TestCardMachine[] = [];
  readonly charged = new Set<TestCardMachine>();
  readonly givingBack = new Set<PaymentIntent['id']>();

  constructor(readonly testAccount: TestAccount) {}

  async createPayment(captureMode: 'Auto' | 'Manual'): Promise<void> {
    this.intents.push(await createIntent(testEnvironment, this.testAccount, { captureMode }));
  }

  async startSale(pick: number): Promise<void> {
    const paymentIntentId = this.#pick(this.intents, pick);
    if (paymentIntentId === undefined) return;
    const terminal = this.testAccount.terminals[pick % 2 === 0 ? 0 : 1];
    this.machines.push(
      await TestCardMachine.createSession(testEnvironment, this.testAccount, {
        sessionType: 'Sale',
        paymentIntentId,
        terminal,
      }),
    );
  }

  /** A payer who simply pays, on any free machine. */
  async pay(captureMode: 'Auto' | 'Manual', pick: number): Promise<void> {
    await this.createPayment(captureMode);
    await this.startSale(this.intents.length - 1 + this.intents.length * pick);
    await this.machine(this.machines.length - 1, 'charge');
    await this.machine(this.machines.length - 1, 'report');
  }

  async refund(pick: number, amount: number | null): Promise<void> {
    const paymentIntentId = this.#pick(this.intents, pick);
    if (paymentIntentId === undefined) return;
    const terminal = this.testAccount.terminals[pick % 2 === 0 ? 1 : 0];
    const request = {
      sessionType: 'MatchedRefund',
      paymentIntentId,
      amount: amount === null ? null : gbp(amount),
    } as const;
    this.machines.push(
      await TestCardMachine.createSession(testEnvironment, this.testAccount, { ...request, terminal }),
    );
  }

  /** Continues the machine: it confirms, reads a card, reports. It never reports anything false. */
  async machine(pick: number, does: 'confirm' | 'charge' | 'report' | 'sign' | 'give up'): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine === undefined) return;
    if (does === 'confirm') await machine.confirmSession();
    if (does === 'charge' && !this.#isOver(await machine.readTerminalSession())) await this.#charge(machine);
    if (does === 'report' || does === 'sign') await this.#reportApproval(machine, does === 'sign');
    if (does === 'give up' && !this.charged.has(machine)) await machine.sendReport({ kind: 'canceled' });
  }

  async decideSignature(pick: number, isAccepted: boolean): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine === undefined) return;
    await transactAs(testEnvironment, this.testAccount, (tx) =>
      testEnvironment.sessions.decideSignature(tx, machine.session.id, isAccepted),
    );
  }

  async stop(pick: number): Promise<void> {
    const machine = this.#pick(this.machines, pick);
    if (machine !== undefined)
      await transactAs(testEnvironment, this.testAccount, (tx) =>
        testEnvironment.sessions.cancel(tx, machine.session.id),
      );
  }

  async cancel(pick: number): Promise<void> {
    const intentId = this.#pick(this.intents, pick);
    if (intentId !== undefined)
      await transactAs(testEnvironment, this.testAccount, (tx) => testEnvironment.intents.cancel(tx, intentId));
  }

  async giveBack(pick: number): Promise<void> {
    const intentId = this.#pick(this.intents, pick);
    if (intentId === undefined) return;
    this.givingBack.add(intentId);
    await this.#giveBack(intentId);
  }

  /** The acquirer answers again, every machine has reported its result, and time has passed. */
  async endScenario(): Promise<void> {
    testEnvironment.acquirerServer.rules.replaceRules([]);
    for (let round = 0; round < 4; round += 1) {
      for (const machine of this.machines) await this.#reportApproval(machine, false);
      await elapseTime(testEnvironment, this.testAccount.scope, 90_000);
    }
    // A give-back is repeated until it is done, as the table's payments do.
    for (const intentId of this.givingBack) await getOutcome(this.#giveBack(intentId));
  }

  #giveBack(intentId: PaymentIntent['id']): Promise<unknown> {
    return testEnvironment.giveBack.giveBackPayment(this.testAccount.scope, {
      intentId,
      reference: `back ${intentId}`,
    });
  }

  async #charge(machine: TestCardMachine): Promise<void> {
    await machine.chargeCard().catch(() => undefined);
    const { outcome } = testEnvironment.acquirerServer.acquirer.inquire(machine.session.acquirerReference);
    if (outcome === 'Approved') this.charged.add(machine);
  }

  async #reportApproval(machine: TestCardMachine, isSignatureRequired: boolean): Promise<void> {
    if (!this.charged.has(machine)) {
      if (this.#isOver(await machine.readTerminalSession())) await machine.sendReport({ kind: 'canceled' });
      return;
    }
    const approval = machine.readApproval();
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired });
  }

  #isOver({ status }: { readonly status: string }): boolean {
    return ['Expired', 'Canceled', 'CancelRequested'].includes(status);
  }

  #pick<T>(from: readonly T[], pick: number): T | undefined {
    return from[pick % Math.max(1, from.length)];
  }
}

type Command = (scenario: PaymentScenario) => Promise<unknown>;

const pick = fc.nat({ max: 6 });
const COMMANDS: readonly (readonly [number, fc.Arbitrary<readonly [string, Command]>])[] = [
  [3, fc.constantFrom('Auto', 'Manual').map((mode) => [`order ${mode}`, (scenario) => scenario.createPayment(mode)])],
  [
    4,
    fc
      .tuple(fc.constantFrom('Auto', 'Auto', 'Manual'), fc.nat({ max: 1 }))
      .map(([mode, which]) => [`pay ${mode}`, (scenario) => scenario.pay(mode, which)]),
  ],
  [4, pick.map((which) => [`sell ${which}`, (scenario) => scenario.startSale(which)])],
  [
    8,
    fc
      .tuple(pick, fc.constantFrom('confirm', 'charge', 'charge', 'report', 'report', 'sign', 'give up'))
      .map(([which, does]) => [`machine ${which} ${does}`, (scenario) => scenario.machine(which, does)]),
  ],
  [
    2,
    fc
      .tuple(pick, fc.constantFrom(null, 300, 1_900))
      .map(([which, amount]) => [`refund ${which} ${amount}`, (scenario) => scenario.refund(which, amount)]),
  ],
  [
    2,
    fc
      .tuple(pick, fc.boolean())
      .map(([which, yes]) => [`decide ${which} ${yes}`, (scenario) => scenario.decideSignature(which, yes)]),
  ],
  [1, pick.map((which) => [`stop ${which}`, (scenario) => scenario.stop(which)])],
  [1, pick.map((which) => [`cancel ${which}`, (scenario) => scenario.cancel(which)])],
  [2, pick.map((which) => [`give back ${which}`, (scenario) => scenario.giveBack(which)])],
  [
    2,
    fc
      .constantFrom(5_000, 11_000, 91_000, 86_400_000)
      .map((byMs) => [`wait ${byMs}`, (scenario) => elapseTime(testEnvironment, scenario.testAccount.scope, byMs)]),
  ],
  [
    1,
    fc.constantFrom('down', 'up').map((state) => [
      state,
      async () => {
        testEnvironment.acquirerServer.rules.replaceRules(state === 'up' ? [] : [{ match: {}, effect: 'down' }]);
      },
    ]),
  ],
];

/** Checks that nothing is taken or given back twice, and that every change of status is published once. */
async function expectInvariants({ testAccount, intents, machines }: PaymentScenario): Promise<void> {
  for (const id of intents) {
    const intent = await readIntent(testEnvironment, testAccount, id);
    expect(exceeds(add(intent.captured, intent.pendingCapture), intent.authorized)).toBe(false);
    expect(exceeds(add(intent.refunded, intent.pendingRefund), intent.captured)).toBe(false);
    const published = (await listPublishedStates(testEnvironment, testAccount.scope, id)).map((each) =>
      each.replace('created ', ''),
    );
    expect(published.at(-1)).toBe(intent.status);
    expect(new Set(published).size).toBe(published.length);
  }
  for (const machine of machines) {
    const published = await listPublishedStates(testEnvironment, testAccount.scope, machine.session.id);
    const statuses = published.filter((each) => !each.includes(' '));
    expect(new Set(statuses).size).toBe(statuses.length);
    const { status } = await machine.readTerminalSession();
    expect(statuses.at(-1) ?? 'InitiateRequested').toBe(status);
  }
}

test('for any actions of people, machines and the acquirer, no penny is lost or taken twice', async () => {
  const scenarios = fc.array(fc.oneof(...COMMANDS.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 12,
    maxLength: 30,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(scenarios, async (commands) => {
      const scenario = new PaymentScenario(await createTestAccount(testEnvironment));
      try {
        await scenario.createPayment('Auto');
        await scenario.startSale(0);
        for (const [, command] of commands) {
          await getOutcome(command(scenario));
          await expectInvariants(scenario);
        }
      } finally {
        await scenario.endScenario();
      }
      await expectInvariants(scenario);
      await expectConsistent(testEnvironment, scenario.testAccount);
      const { accountId, environment } = scenario.testAccount.scope;
      const open = await testEnvironment.database.read(scenario.testAccount.scope, (reader) =>
        reader.query(OPEN, [accountId, environment]),
      );
      expect(open).toEqual([]);
    }),
    { numRuns: process.env['LONG'] === '1' ? 10 : 4 },
  );
}, 60_000);
