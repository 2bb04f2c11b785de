import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import type { AccountSettings } from '@pos/core/accounts';
import type { OrderPlacement } from '@pos/core/orders';
import type { Money } from '@pos/core/money';
import { requireValue } from '@pos/core/refusals';
import type { PaymentIntentId } from '@pos/core/identity';
import { gbp } from '@pos/core/testing';
import { putEposIntegration } from '@pos/store/repositories';
import { type EposIntegrationKind } from '@pos/store/testing';
import { findOrderPlacement } from '@pos/store/tables';
import type { ClaimedTimer } from '@pos/store/queues';
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

/** £20.00 of soup as an order for an EPOS. */
export function createTestOrder(totalAmount: Money = gbp(2_000)) {
  return { items: [{ name: 'Soup', quantity: 4 }], totalAmount };
}

/** A shop whose EPOS takes orders that are paid in advance. The test itself is its runner. */
export class TestEpos {
  readonly placements: OrderPlacements;

  private constructor(
    readonly testEnvironment: TestEnvironment,
    readonly testAccount: TestAccount,
  ) {
    this.placements = new OrderPlacements(testEnvironment);
  }

  static async open(
    world: TestEnvironment,
    { settings = {}, ...epos }: EposOptions & { readonly settings?: Partial<AccountSettings> } = {},
  ): Promise<TestEpos> {
    const testEpos = new TestEpos(world, await createTestAccount(world, settings));
    await testEpos.registerEpos(epos);
    return testEpos;
  }

  /** Registers the capabilities of the EPOS from now on. */
  registerEpos({ kind = 'rest', capabilities = REGISTERED_CAPABILITIES }: EposOptions): Promise<void> {
    const registered = capabilities.map((name) => ({ name, version: 'v1' }) as const);
    const address = { url: 'http://127.0.0.1:1', username: 'epos', password: 'secret' };
    return transactAs(this.testEnvironment, this.testAccount, (tx) =>
      putEposIntegration(tx, { kind, ...address, capabilities: registered }),
    );
  }

  /** A payment of £20.00 that is not paid yet. */
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

  /** The due timers of orders, which a gateway finds and claims. */
  claimTimers(): Promise<ClaimedTimer[]> {
    const { testEnvironment, testAccount } = this;
    return testEnvironment.queue.claim(testAccount.scope, ['order-placement', 'order-release'], {
      limit: 10,
      leaseMs: 30_000,
    });
  }

  /** The due placement, claimed by a runner; the test decides the result of the call. */
  async claimPlacement(placement: OrderPlacement): Promise<PlacementRun> {
    const [claimed] = await this.claimTimers();
    return new PlacementRun(this, placement, requireValue(claimed, 'a placement that is due'));
  }

  /** Makes every waiting try due at once. */
  async makeDue(): Promise<void> {
    await this.#updateTimers('due_at = clock_timestamp()', `kind = 'order-placement' and leased_until is null`);
  }

  /** Expires the claims of all runners: the next one may claim their placements. */
  async expireLeases(): Promise<void> {
    await this.#updateTimers(`leased_until = clock_timestamp() - interval '1 second'`, 'leased_until is not null');
  }

  async #updateTimers(set: string, where: string): Promise<void> {
    const { accountId, environment } = this.testAccount.scope;
    const sql = `update timers set ${set} where account_id = $1 and environment = $2 and ${where}`;
    await this.testEnvironment.database.dataSource.query(sql, [accountId, environment]);
  }
}

/** Without events: no test sends one. */
const REGISTERED_CAPABILITIES = EPOS_CAPABILITIES.filter((name) => !name.startsWith('HandleEvent'));

interface EposOptions {
  readonly kind?: EposIntegrationKind;
  readonly capabilities?: readonly EposCapability[];
}

/** A runner that has claimed one placement. */
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

  /** Applies the result of the call. */
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
