import { type Client, openClient } from '@pos/rest-contracts/client';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as intents from '@pos/rest-contracts/payment-intents';
import { payByCard } from '@pos/rest-contracts/card-vault';
import { changeAmount, deletePaymentMethod, readPaymentMethods } from '@pos/rest-contracts/payment-intents';
import { createCustomer, createCustomerSecret } from '@pos/rest-contracts/accounts';
import { advanceClock } from '@pos/rest-contracts/sandbox';
import * as setups from '@pos/rest-contracts/setup-intents';
import { waitUntil } from '../e2e/stage.js';
import type { DevWorld } from '../dev/world.js';
import { startPageWorld } from '../web/page-world.js';
import { CV2, EXPIRY, NAME, type TypedCard } from './cards.js';

type NewIntent = SentBodyOf<typeof intents.createPaymentIntent>;
type NewSetup = SentBodyOf<typeof setups.createSetupIntent>;

const STATUS_MS_MAX = 60_000;

/** An integrator with a running service: creates payments for payers, and reads their results. */
export class TestShop {
  readonly #client: Client;

  private constructor(
    readonly world: DevWorld,
    /** Whether the world ends with the shop. */
    private readonly isWorldOwn: boolean,
    account: 0 | 1 = 0,
  ) {
    const key = world.accounts[account]?.keys.full;
    if (key === undefined) throw new Error('the world has fewer than two accounts');
    this.#client = openClient({ baseUrl: world.addresses.api[0] ?? '', apiKey: key });
  }

  /** A shop in a world that runs already, or in one of its own. */
  static async open(running?: DevWorld): Promise<TestShop> {
    const world = running ?? (await startPageWorld({ 'epos-tester': 0, portal: 0 }));
    return new TestShop(world, running === undefined);
  }

  /** Another account, whose clock may be advanced without ending the payments of other tests. */
  get patient(): TestShop {
    return new TestShop(this.world, false, 1);
  }

  /** Advances the clock of this account. */
  async advance(by: string): Promise<void> {
    await this.#client(advanceClock, { body: { by } });
  }

  async payment(more: Partial<NewIntent> = {}): Promise<string> {
    const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', ...more };
    return (await this.#client(intents.createPaymentIntent, { body })).id;
  }

  /** Changes the amount after the payer has seen another. */
  async changeAmount(paymentIntentId: string, value: number): Promise<void> {
    const body = { amount: { value, currencyCode: 'GBP' } };
    await this.#client(changeAmount, { params: { paymentIntentId }, body });
  }

  async customer(): Promise<string> {
    return (await this.#client(createCustomer, { body: { name: 'A Guest' } })).id;
  }

  /** A customer who has saved these cards, with a secret that permits to offer them. */
  async customerWith(...cards: readonly TypedCard[]): Promise<{ readonly id: string; readonly secret: string }> {
    const id = await this.customer();
    for (const card of cards) await this.#saveCard(id, card);
    const { secret } = await this.#client(createCustomerSecret, { params: { customerId: id } });
    return { id, secret };
  }

  /** The saved cards of a customer, as the customer's app lists them. */
  listSavedCards({ id: customerId, secret }: { readonly id: string; readonly secret: string }) {
    return this.#appOf(secret)(readPaymentMethods, { params: { customerId } });
  }

  /** The customer deletes the card with these last digits. */
  async deleteCard(customer: { readonly id: string; readonly secret: string }, last4: string): Promise<void> {
    const { savedPaymentMethods: cards } = await this.listSavedCards(customer);
    const paymentMethodId = cards.find(({ cardDetails }) => cardDetails.pan.endsWith(last4))?.id ?? '';
    await this.#appOf(customer.secret)(deletePaymentMethod, { params: { customerId: customer.id, paymentMethodId } });
  }

  #appOf(secret: string): Client {
    return openClient({ baseUrl: this.world.addresses.api[0] ?? '', apiKey: secret });
  }

  async #saveCard(id: string, { number, cv2 = CV2 }: TypedCard): Promise<void> {
    const body = { amount: { value: 100, currencyCode: 'GBP' }, reference: 'first payment', customer: { id } };
    const { clientSessionSecret = '' } = await this.#client(intents.createPaymentIntent, { body });
    const headers = { 'content-type': 'application/json', 'client-session-secret': clientSessionSecret };
    const paid = { cardNumber: number, cardName: NAME, expiryDate: EXPIRY, cV2: cv2, savePaymentMethod: true };
    const address = `${this.world.addresses.cardVault[0] ?? ''}${payByCard.path}`;
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(paid) });
    const { statusCode, message } = payByCard.returns.parse(await answer.json());
    if (statusCode !== 0) throw new Error(`the card ${number} could not be kept: ${message}`);
  }

  async setup(more: Partial<NewSetup> = {}): Promise<string> {
    const needed = { reference: 'table 4', merchantInitiatedTransactionType: 'NoShow', terms: 'Agreed.' } as const;
    const body = { ...needed, ...more };
    return (await this.#client(setups.createSetupIntent, { body })).id;
  }

  async cancel(paymentIntentId: string): Promise<void> {
    await this.#client(intents.cancelPaymentIntent, { params: { paymentIntentId } });
  }

  async closeSetup(id: string): Promise<void> {
    await this.#client(setups.cancelSetupIntent, { params: { setupIntentId: id }, query: { includeAuthorized: true } });
  }

  /** `Authorized: Authorized`, as of a payment. */
  async readSetupStatus(id: string): Promise<string> {
    const { status, setupEvents } = await this.#client(setups.readSetupIntent, { params: { setupIntentId: id } });
    return `${status}: ${setupEvents.map(({ eventType }) => eventType).join(' ')}`;
  }

  /** `Captured: Captured`: the status of the payment, then its events. */
  async readStatus(paymentIntentId: string): Promise<string> {
    const { status, paymentEvents } = await this.read(paymentIntentId);
    return `${status}: ${paymentEvents.map(({ eventType }) => eventType).join(' ')}`;
  }

  /** Resolves when the payment has this status. */
  async until(paymentIntentId: string, status: string): Promise<void> {
    const isThere = async (): Promise<boolean> => (await this.read(paymentIntentId)).status === status;
    await waitUntil(`${paymentIntentId} is ${status}`, STATUS_MS_MAX, isThere);
  }

  /** The one-time secret that the integrator's server gives to its page. */
  async readSecret(paymentIntentId: string): Promise<string> {
    const { clientSessionSecret } = await this.read(paymentIntentId);
    if (clientSessionSecret === undefined) throw new Error(`${paymentIntentId} has no secret`);
    return clientSessionSecret;
  }

  read(paymentIntentId: string) {
    return this.#client(intents.readPaymentIntent, { params: { paymentIntentId } });
  }

  async close(): Promise<void> {
    if (this.isWorldOwn) await this.world.remove();
  }
}
