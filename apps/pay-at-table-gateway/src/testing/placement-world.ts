import { PaymentIntents } from '@pos/payments/payment-intents';
import { listTerminals, TerminalSessions } from '@pos/payments/terminals';
import { requireValue } from '@pos/core/refusals';
import { DEFAULT_INTENT_CONFIG, type PaymentIntent, type PaymentIntentStatus } from '@pos/core/payment-intents';
import type { OrderPlacement, PlacementState } from '@pos/core/orders';
import { ROLES } from '@pos/core/identity';
import { gbp, createPlainIntentRequest } from '@pos/core/testing';
import { AccountCache } from '@pos/payments/accounts';
import { OrderPlacements } from '@pos/payments/orders';
import type { NewOrder } from '@pos/rest-contracts/epos-data';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { findTerminalByTid } from '@pos/store/terminals';
import { listLiveConnections } from '@pos/store/connections';
import { findOrderPlacement } from '@pos/store/tables';
import { findIntent } from '@pos/store/payments';
import { TimerQueue } from '@pos/store/queues';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, type GatewayEnvironment } from './gateway-world.js';
import { waitUntil } from './polling.js';

const MACHINE = '90000001';
const CALLER = { permissions: new Set(ROLES.full) };

/** The order of a payer: plates for 6.50. */
export function buildSoupOrder(plates = 1): Omit<NewOrder, 'serviceOrderId' | 'payments'> {
  const price = { value: 650, currencyCode: 'GBP' };
  return {
    details: { orderType: 'Collection', collection: { asap: true } },
    items: [{ name: 'Soup', quantity: plates, plu: '1001', amountPerItem: price }],
    totalAmount: { value: 650 * plates, currencyCode: 'GBP' },
  };
}

/** A restaurant that accepts orders paid in advance, and their payers. */
export class OrderTestEnvironment {
  readonly #placements: OrderPlacements;

  constructor(
    private readonly environment: GatewayEnvironment,
    private readonly gateway: RunningGateway,
    readonly account: GatewayAccount,
  ) {
    this.#placements = new OrderPlacements({
      accounts: new AccountCache(),
      queue: new TimerQueue(environment.testDatabase.database),
    });
  }

  get eposSimulator(): EposSimulator {
    return requireValue(this.account.sandbox.epos, 'the EPOS');
  }

  /** The calls of this name that the EPOS has seen. */
  listCalls(method: string) {
    return this.eposSimulator.listCalls().filter((call) => call.method === method);
  }

  /** The orders at the EPOS that list this payment. */
  listOrdersPaidWith(intentId: string) {
    return this.eposSimulator.data.orders
      .listOrders()
      .filter(({ payments = [] }) => payments.some(({ paymentIntentId }) => paymentIntentId === intentId));
  }

  /** The captured minus the returned amount of the payment at the acquirer, in pence. */
  async getBookedAmount(intentId: string): Promise<number> {
    const { paymentDetails } = await this.getIntent(intentId);
    const reference = requireValue(paymentDetails, 'how it was paid').reference;
    const lines = this.account.listBookings().filter((line) => line.originalReference === reference);
    const booked = (kind: string) => lines.filter((line) => line.kind === kind && line.status === 'Booked');
    const total = (kind: string) => booked(kind).reduce((sum, { amount }) => sum + amount.value, 0);
    return total('Capture') - total('Refund');
  }

  /** A payment to hold for an order. */
  async createIntent(
    minorUnits: number,
    { tip = null }: { readonly tip?: number | null } = {},
  ): Promise<PaymentIntent> {
    const { scope } = this.account;
    const intents = this.gateway.app.get(PaymentIntents);
    const intentRequest = {
      ...createPlainIntentRequest(gbp(minorUnits)),
      tipsAmount: tip === null ? null : gbp(tip),
      captureMode: 'Manual',
      details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
      isNotOnlineCheckout: false,
      generateRemoteToken: null,
    } as const;
    return (
      await this.environment.testDatabase.database.transact(scope, (tx) => intents.create(tx, CALLER, intentRequest))
    ).intent;
  }

  /** The payer's card is presented, and approved. */
  async holdPayment({ id }: PaymentIntent): Promise<PaymentIntent> {
    const { scope } = this.account;
    const { database } = this.environment.testDatabase;
    const isMachineAvailable = async () => {
      const availableTerminals = await database.read(scope, (reader) => listTerminals(reader, ['Available']));
      return availableTerminals.some(({ terminal }) => terminal.tid === MACHINE);
    };
    await waitUntil(isMachineAvailable);
    await database.transact(scope, async (tx) => {
      const terminal = requireValue(await findTerminalByTid(tx, MACHINE), 'the machine');
      const sale = { sessionType: 'Sale', terminalId: terminal.id, paymentIntentId: id } as const;
      await this.gateway.app.get(TerminalSessions).create(tx, CALLER, sale);
    });
    return this.waitForIntentStatus(id, 'Authorized');
  }

  /** A payment that is held. */
  async createHeldIntent(minorUnits: number, more: { readonly tip?: number | null } = {}): Promise<PaymentIntent> {
    return this.holdPayment(await this.createIntent(minorUnits, more));
  }

  submitOrder({ id: paymentIntentId }: PaymentIntent, order = buildSoupOrder()): Promise<OrderPlacement> {
    const { scope } = this.account;
    return this.environment.testDatabase.database.transact(scope, (tx) =>
      this.#placements.submitPlacement(tx, { paymentIntentId, order }),
    );
  }

  /** How many sockets of the EPOS are open. */
  async countOpenSockets(): Promise<number> {
    const { scope } = this.account;
    return (
      await this.environment.testDatabase.database.read(scope, (reader) => listLiveConnections(reader, ['epos-ws']))
    ).length;
  }

  async getPlacement(id: string): Promise<OrderPlacement> {
    const { scope } = this.account;
    const found = await this.environment.testDatabase.database.read(scope, (reader) => findOrderPlacement(reader, id));
    return requireValue(found, 'the placement');
  }

  async getIntent(id: string): Promise<PaymentIntent> {
    const { scope } = this.account;
    return requireValue(
      await this.environment.testDatabase.database.read(scope, (reader) => findIntent(reader, id)),
      'the intent',
    );
  }

  /** Waits until the placement is in that state, through any states before. */
  async waitForState({ id }: OrderPlacement, ...states: readonly PlacementState[]): Promise<OrderPlacement> {
    let placement = await this.getPlacement(id);
    await waitUntil(async () => {
      placement = await this.getPlacement(id);
      return states.includes(placement.state);
    });
    return placement;
  }

  /**
   * Waits until the placement is as it should be. Each retry is due at once: how long a placement waits for it is shown by
   * the tests of its transitions.
   */
  async hurryUntil({ id }: OrderPlacement, holds: (placement: OrderPlacement) => boolean): Promise<OrderPlacement> {
    let placement = await this.getPlacement(id);
    await waitUntil(async () => {
      placement = await this.getPlacement(id);
      if (holds(placement)) return true;
      const waitMs = (placement.dueAt?.getTime() ?? 0) - Date.now();
      if (waitMs > 0) await this.shiftPlacementTimes(placement, waitMs);
      return false;
    });
    return placement;
  }

  /** Waits until the placement is in that state, and its retries are due at once. */
  hurryToState(placement: OrderPlacement, ...states: readonly PlacementState[]): Promise<OrderPlacement> {
    return this.hurryUntil(placement, ({ state }) => states.includes(state));
  }

  async waitForIntentStatus(intentId: string, status: PaymentIntentStatus): Promise<PaymentIntent> {
    let intent = await this.getIntent(intentId);
    await waitUntil(async () => {
      intent = await this.getIntent(intentId);
      return intent.status === status;
    });
    return intent;
  }

  /** Makes all timers of the placement due now, and moves its earlier times back by as much. */
  async shiftPlacementTimes({ id }: OrderPlacement, ms: number): Promise<void> {
    const columns = ['since', 'due_at', 'doubt_at', 'called_at', 'give_back_since'];
    const sets = columns.map((column) => `${column} = ${column} - ${ms} * interval '1 millisecond'`).join(', ');
    await this.#updateRows(`update order_placements set ${sets}`, 'id = $3', id);
    await this.#updateRows(
      'update timers set due_at = clock_timestamp()',
      `subject = $3 and kind = 'order-placement'`,
      id,
    );
  }

  /** The hold of the placement's payment is about to end. */
  async makeHoldExpire({ id }: OrderPlacement): Promise<void> {
    await this.#updateRows(
      'update timers set due_at = clock_timestamp()',
      `subject = $3 and kind = 'order-release'`,
      id,
    );
  }

  async #updateRows(what: string, where: string, id: string): Promise<void> {
    const { accountId, environment } = this.account.scope;
    const { dataSource } = this.environment.testDatabase.database;
    await dataSource.query(`${what} where account_id = $1 and environment = $2 and ${where}`, [
      accountId,
      environment,
      id,
    ]);
  }
}
