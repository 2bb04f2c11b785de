import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables/epos-capability';
import type { AccountSettings } from '@pos/core/accounts/account';
import type { OrderPlacement } from '@pos/core/orders/order-placement';
import type { Money } from '@pos/core/money/money';
import { requireValue } from '@pos/core/refusals/assert';
import type { PaymentIntentId } from '@pos/core/identity/identity';
import { gbp } from '@pos/core/testing/builders';
import { type EposIntegrationKind, putEposIntegration } from '@pos/store/repositories/epos-integrations';
import { findOrderPlacement } from '@pos/store/tables/order-placements';
import type { ClaimedTimer } from '@pos/store/queues/timers';
import { createPaidIntent } from './card-machine.js';
import { OrderPlacements } from '../orders/order-placements.js';
import {
  transactAs,
  createIntent,
  createTestAccount,
  type TestAccount,
  type TestEnvironment,
} from './test-environment.js';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';

/** What £20.00 of soup are, as an EPOS is asked for them. */
export function createTestOrder(totalAmount: Money = gbp(2_000)) {
  return { items: [{ name: 'Soup', quantity: 4 }], totalAmount };
}

/** A shop whose EPOS takes orders that are paid in advance. Its runners are the test itself. */
export class TestEpos {
  readonly placements: OrderPlacements;

  private constructor(
    readonly testEnvironment: TestEnvironment,
    readonly testAccount: TestAccount,
  ) {
    this.placements = new OrderPlacements({ queue: testEnvironment.queue });
  }

  static async open(
    world: TestEnvironment,
    { settings = {}, ...epos }: EposOptions & { readonly settings?: Partial<AccountSettings> } = {},
  ): Promise<TestEpos> {
    const testEpos = new TestEpos(world, await createTestAccount(world, settings));
    await testEpos.registerEpos(epos);
    return testEpos;
  }

  /** Registers what the EPOS can do from now on. */
  registerEpos({ kind = 'rest', capabilities = REGISTERED_CAPABILITIES }: EposOptions): Promise<void> {
    const registered = capabilities.map((name) => ({ name, version: 'v1' }) as const);
    const address = { url: 'http://127.0.0.1:1', username: 'epos', password: 'secret' };
    return transactAs(this.testEnvironment, this.testAccount, (tx) =>
      putEposIntegration(tx, { kind, ...address, capabilities: registered }),
    );
  }

  /** A payment of £20.00 that nobody has made yet. */
  createPayment(overrides: Partial<PaymentIntentRequest> = {}): Promise<PaymentIntentId> {
    return createIntent(this.testEnvironment, this.testAccount, { captureMode: 'Manual', ...overrides });
  }

  /** A payment of £20.00 that is held. */
  async createHeldPayment(overrides: Partial<PaymentIntentRequest> = {}): Promise<PaymentIntentId> {
    return (await createPaidIntent(this.testEnvironment, this.testAccount, { captureMode: 'Manual', ...overrides }))
      .intentId;
  }

  submitOrder(paymentIntentId: string, order = createTestOrder()): Promise<OrderPlacement> {
    return transactAs(this.testEnvironment, this.testAccount, (tx) =>
      this.placements.submitPlacement(tx, { paymentIntentId, order }),
    );
  }

  async findPlacement(id: string): Promise<OrderPlacement> {
    const found = await this.testEnvironment.database.read(this.testAccount.scope, (reader) =>
      findOrderPlacement(reader, id),
    );
    return requireValue(found, 'the placement');
  }

  /** What a gateway finds due of orders, and takes into its hands. */
  claimTimers(): Promise<ClaimedTimer[]> {
    const { testEnvironment, testAccount } = this;
    return testEnvironment.queue.claim(testAccount.scope, ['order-placement', 'order-release'], {
      limit: 10,
      leaseMs: 30_000,
    });
  }

  /** The placement that is due, in a runner's hands; the test says what becomes of the call it is to make. */
  async claimPlacement(placement: OrderPlacement): Promise<PlacementRun> {
    const [claimed] = await this.claimTimers();
    return new PlacementRun(this, placement, requireValue(claimed, 'a placement that is due'));
  }

  /** What waits for another try is due at once. */
  async makeDue(): Promise<void> {
    await this.#updateTimers('due_at = clock_timestamp()', `kind = 'order-placement' and leased_until is null`);
  }

  /** Whoever has a placement in hand has had it for too long: the next one may take it. */
  async expireLeases(): Promise<void> {
    await this.#updateTimers(`leased_until = clock_timestamp() - interval '1 second'`, 'leased_until is not null');
  }

  async #updateTimers(set: string, where: string): Promise<void> {
    const { accountId, environment } = this.testAccount.scope;
    const sql = `update timers set ${set} where account_id = $1 and environment = $2 and ${where}`;
    await this.testEnvironment.database.dataSource.query(sql, [accountId, environment]);
  }
}

/** It is told of nothing: nobody here would do that. */
const REGISTERED_CAPABILITIES = EPOS_CAPABILITIES.filter((name) => !name.startsWith('HandleEvent'));

interface EposOptions {
  readonly kind?: EposIntegrationKind;
  readonly capabilities?: readonly EposCapability[];
}

/** A runner with one placement in hand. */
export class PlacementRun {
  constructor(
    private readonly testEpos: TestEpos,
    private readonly placement: OrderPlacement,
    readonly claimed: ClaimedTimer,
  ) {}

  advance() {
    const { testEnvironment, testAccount, placements } = this.testEpos;
    return transactAs(testEnvironment, testAccount, (tx) =>
      placements.advancePlacement(tx, this.placement, this.claimed),
    );
  }

  /** Tells how the call was answered. */
  applyResult(
    input: Parameters<OrderPlacements['applyCallResult']>[2]['input'],
    claimed: ClaimedTimer | null = this.claimed,
  ) {
    const { testEnvironment, testAccount, placements } = this.testEpos;
    return transactAs(testEnvironment, testAccount, (tx) =>
      placements.applyCallResult(tx, this.placement, { input, claimed }),
    );
  }
}

/** The EPOS has made the order. */
export const ORDER_CREATED = { kind: 'placeAnswered', answer: { outcome: 'Success', orderId: 'order-1' } } as const;
/** The EPOS has not answered. */
export const NO_ANSWER = { kind: 'placeAnswered', answer: { outcome: 'NoAnswer' } } as const;
