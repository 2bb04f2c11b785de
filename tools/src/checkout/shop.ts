import { mkdtemp } from 'node:fs/promises';
import { type Client, openClient } from '@pos/rest-contracts/client';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as intents from '@pos/rest-contracts/payment-intent-operations';
import { createCustomer } from '@pos/rest-contracts/customers';
import { advanceClock } from '@pos/rest-contracts/sandbox-clock';
import * as setups from '@pos/rest-contracts/setup-intent-operations';
import { startWorld, type World } from '../dev/world.js';

type NewIntent = SentBodyOf<typeof intents.createPaymentIntent>;
type NewSetup = SentBodyOf<typeof setups.createSetupIntent>;

/** The simulated bank that answers late does so soon, and is asked soon. */
const TIMES = { SIMULATOR_TIME_SCALE: '40', INQUIRY_INTERVAL_MS: '300' } as const;

/** An integrator with a running service: makes payments for payers to pay, and reads what became of them. */
export class Shop {
  readonly #client: Client;
  /** Another account, whose clock may be moved without anybody else's payments ending. */
  readonly #patient: Client;

  private constructor(readonly world: World) {
    const [first, second] = world.accounts.map(({ keys }) => this.#clientOf(keys.full));
    if (first === undefined || second === undefined) throw new Error('the world has fewer than two accounts');
    this.#client = first;
    this.#patient = second;
  }

  static async open(): Promise<Shop> {
    // Not in the system's folder for temporary files: PostgreSQL's account could not always get there.
    const dataDir = await mkdtemp('/var/tmp/pos-checkout-');
    const count = { 'epos-tester': 0 };
    return new Shop(await startWorld({ dataDir, ports: 'free', count, durable: false, env: { '*': TIMES } }));
  }

  #clientOf(apiKey: string): Client {
    return openClient({ baseUrl: this.world.addresses.api[0] ?? '', apiKey });
  }

  async payment(more: Partial<NewIntent> = {}): Promise<string> {
    const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', ...more };
    return (await this.#client(intents.createPaymentIntent, { body })).id;
  }

  async customer(): Promise<string> {
    return (await this.#client(createCustomer, { body: { name: 'A Guest' } })).id;
  }

  async setup(more: Partial<NewSetup> = {}): Promise<string> {
    const needed = { reference: 'table 4', merchantInitiatedTransactionType: 'NoShow', terms: 'Agreed.' } as const;
    const body = { ...needed, ...more };
    return (await this.#client(setups.createSetupIntent, { body })).id;
  }

  async cancel(paymentIntentId: string): Promise<void> {
    await this.#client(intents.cancelPaymentIntent, { params: { paymentIntentId } });
  }

  /** A payment that nobody made in time. */
  async expired(): Promise<string> {
    const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'late' };
    const { id } = await this.#patient(intents.createPaymentIntent, { body });
    await this.#patient(advanceClock, { body: { by: '31.00:00:00' } });
    return id;
  }

  /** `Captured: Captured`: how it stands, and what happened. */
  async standing(paymentIntentId: string): Promise<string> {
    const { status, paymentEvents } = await this.read(paymentIntentId);
    return `${status}: ${paymentEvents.map(({ eventType }) => eventType).join(' ')}`;
  }

  read(paymentIntentId: string) {
    return this.#client(intents.readPaymentIntent, { params: { paymentIntentId } });
  }

  async close(): Promise<void> {
    await this.world.remove();
  }
}
