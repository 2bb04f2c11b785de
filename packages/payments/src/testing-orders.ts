import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/epos-capability';
import type { AccountSettings } from '@pos/core/account';
import type { OrderPlacement } from '@pos/core/order-placement';
import type { Money } from '@pos/core/money';
import { required } from '@pos/core/assert';
import type { PaymentIntentId } from '@pos/core/identity';
import { gbp } from '@pos/core/testing';
import { type EposIntegrationKind, putEposIntegration } from '@pos/store/epos-integrations';
import { findOrderPlacement } from '@pos/store/order-placements';
import type { ClaimedTimer } from '@pos/store/timers';
import { paidIntent } from './card-machine/testing.js';
import { OrderPlacements } from './order-placements.js';
import { act, createIntent, openShop, type Shop, type World } from './testing.js';
import type { IntentWish } from './payment-intents.js';

/** What £20.00 of soup are, as an EPOS is asked for them. */
export function soup(totalAmount: Money = gbp(2_000)) {
  return { items: [{ name: 'Soup', quantity: 4 }], totalAmount };
}

/** A shop whose EPOS takes orders that are paid in advance. Its runners are the test itself. */
export class Kitchen {
  readonly placements: OrderPlacements;

  private constructor(
    readonly world: World,
    readonly shop: Shop,
  ) {
    this.placements = new OrderPlacements({ queue: world.queue });
  }

  static async open(
    world: World,
    { settings = {}, ...epos }: EposWish & { readonly settings?: Partial<AccountSettings> } = {},
  ): Promise<Kitchen> {
    const kitchen = new Kitchen(world, await openShop(world, settings));
    await kitchen.register(epos);
    return kitchen;
  }

  /** Registers what the EPOS can do from now on. */
  register({ kind = 'rest', capabilities = CALLED }: EposWish): Promise<void> {
    const named = capabilities.map((name) => ({ name, version: 'v1' }) as const);
    const address = { url: 'http://127.0.0.1:1', username: 'epos', password: 'secret' };
    return act(this.world, this.shop, (tx) => putEposIntegration(tx, { kind, ...address, capabilities: named }));
  }

  /** A payment of £20.00 that nobody has made yet. */
  wish(wish: Partial<IntentWish> = {}): Promise<PaymentIntentId> {
    return createIntent(this.world, this.shop, { captureMode: 'Manual', ...wish });
  }

  /** A payment of £20.00 that is held. */
  async held(wish: Partial<IntentWish> = {}): Promise<PaymentIntentId> {
    return (await paidIntent(this.world, this.shop, { captureMode: 'Manual', ...wish })).intentId;
  }

  submit(paymentIntentId: string, order = soup()): Promise<OrderPlacement> {
    return act(this.world, this.shop, (tx) => this.placements.submit(tx, { paymentIntentId, order }));
  }

  async find(id: string): Promise<OrderPlacement> {
    const found = await this.world.database.read(this.shop.scope, (reader) => findOrderPlacement(reader, id));
    return required(found, 'the placement');
  }

  /** What a gateway finds due of orders, and takes into its hands. */
  claim(): Promise<ClaimedTimer[]> {
    const { world, shop } = this;
    return world.queue.claim(shop.scope, ['order-placement', 'order-release'], { limit: 10, leaseMs: 30_000 });
  }

  /** The placement that is due, in a runner's hands; the test says what becomes of the call it is to make. */
  async run(placement: OrderPlacement): Promise<Run> {
    const [claimed] = await this.claim();
    return new Run(this, placement, required(claimed, 'a placement that is due'));
  }

  /** What waits for another try is due at once. */
  async hurry(): Promise<void> {
    await this.#timers('due_at = clock_timestamp()', `kind = 'order-placement' and leased_until is null`);
  }

  /** Whoever has a placement in hand has had it for too long: the next one may take it. */
  async outlive(): Promise<void> {
    await this.#timers(`leased_until = clock_timestamp() - interval '1 second'`, 'leased_until is not null');
  }

  async #timers(set: string, where: string): Promise<void> {
    const { accountId, environment } = this.shop.scope;
    const sql = `update timers set ${set} where account_id = $1 and environment = $2 and ${where}`;
    await this.world.database.dataSource.query(sql, [accountId, environment]);
  }
}

/** It is told of nothing: nobody here would do that. */
const CALLED = EPOS_CAPABILITIES.filter((name) => !name.startsWith('HandleEvent'));

interface EposWish {
  readonly kind?: EposIntegrationKind;
  readonly capabilities?: readonly EposCapability[];
}

/** A runner with one placement in hand. */
export class Run {
  constructor(
    private readonly kitchen: Kitchen,
    private readonly placement: OrderPlacement,
    readonly claimed: ClaimedTimer,
  ) {}

  advance() {
    const { world, shop, placements } = this.kitchen;
    return act(world, shop, (tx) => placements.advance(tx, this.placement, this.claimed));
  }

  /** Tells how the call was answered. */
  tell(input: Parameters<OrderPlacements['tell']>[2]['input'], claimed: ClaimedTimer | null = this.claimed) {
    const { world, shop, placements } = this.kitchen;
    return act(world, shop, (tx) => placements.tell(tx, this.placement, { input, claimed }));
  }
}

/** The EPOS has made the order. */
export const MADE = { kind: 'placeAnswered', answer: { outcome: 'Success', orderId: 'order-1' } } as const;
/** The EPOS has not answered. */
export const SILENCE = { kind: 'placeAnswered', answer: { outcome: 'NoAnswer' } } as const;
