import { randomUUID } from 'node:crypto';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { createCustomer, listTerminals, putRestIntegration } from '@pos/rest-contracts/accounts';
import { payByCard } from '@pos/rest-contracts/card-vault';
import { type Client, openClient } from '@pos/rest-contracts/client';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import { submitOrder } from '@pos/rest-contracts/orders';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { insertTesterRun } from '@pos/store/repositories';
import { openDatabase } from '@pos/store/startup';
import { APPROVED, CV2, EXPIRY, NAME } from '../checkout/cards.js';
import type { DevWorld } from '../dev/world.js';

type NewIntent = SentBodyOf<typeof createPaymentIntent>;

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });

/** What integrators and the tester do at the first account, before somebody opens the pages about it. */
export class RestaurantSeed {
  readonly #client: Client;

  constructor(private readonly world: DevWorld) {
    this.#client = openClient({
      ...{ baseUrl: world.addresses.api[0] ?? '', apiKey: world.accounts[0]?.keys.full ?? '' },
      ...{ softwareHouseId: 'portal-test', resellerId: 'portal-test' },
    });
  }

  /** A customer who has paid £12.50 by a card, and saved it. */
  async createCustomer(name: string, emailAddress: string): Promise<string> {
    const { id } = await this.#client(createCustomer, { body: { name, emailAddress } });
    await this.#pay({ amount: gbp(1250), reference: 'first payment', customer: { id } }, { savePaymentMethod: true });
    return id;
  }

  /** An order of two soups for £13.00 that is paid before the EPOS has it. The EPOS is also called over REST from now on. */
  async placeOrder(): Promise<string> {
    await this.registerEpos();
    const order = {
      details: { orderType: 'Collection', collection: { asap: true } },
      items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: gbp(650) }],
      totalAmount: gbp(1300),
    } as const;
    const body = { amount: gbp(1300), reference: 'order 21', captureMode: 'Manual' } as const;
    const paymentIntentId = await this.#pay(body, {});
    return (await this.#client(submitOrder, { body: { paymentIntentId, order } })).id;
  }

  /** A sale of £20.00 on the first free card machine. Returns the TID. */
  async startSale(): Promise<string> {
    const [machine] = await this.#client(listTerminals, { query: { statuses: ['Available'] } });
    if (machine === undefined) throw new Error('no card machine is free');
    const body = { amount: gbp(2000), reference: 'table 7' };
    const { id: paymentIntentId } = await this.#client(createPaymentIntent, { body });
    const details = { sessionType: 'Sale', sale: { paymentIntentId } } as const;
    await this.#client(createTerminalSession, { body: { terminalId: machine.id, details } });
    return machine.properties.tid;
  }

  /** A run that failed in its second step, as the tester stores it. Returns its id. */
  async storeTesterRun(): Promise<string> {
    const { databaseUrl: url, secrets, accounts } = this.world;
    const scope: Scope = { accountId: accounts[0]?.accountId ?? 'acc_', environment: 'sandbox' };
    const keys = { encryptionKey: Buffer.from(secrets.encryptionKey, 'base64'), pepper: secrets.keyPepper };
    const database = await openDatabase({ url, applicationName: 'portal-test', secrets: keys });
    try {
      return await database.transact(scope, async (tx) => {
        const at = tx.databaseNow.toISOString();
        const step = { startedAt: at, finishedAt: at, checks: [], aliveUntil: null };
        const run = { id: randomUUID(), flow: 'tables-pay-in-full', status: 'FAILURE', params: {} } as const;
        await insertTesterRun(tx, {
          ...{ ...run, startedAt: tx.databaseNow, finishedAt: tx.databaseNow },
          steps: [
            {
              ...step,
              name: 'LockSession',
              status: 'SUCCESS',
              additionalInformation: ['LockSession answered in 12 ms'],
            },
            {
              ...{ ...step, name: 'RecordPayment', status: 'FAILURE' },
              additionalInformation: ['RecordPayment answered 500', 'clause R-4: a repeat gives the first answer'],
            },
          ],
        });
        return run.id;
      });
    } finally {
      await database.close();
    }
  }

  /** From now on the EPOS is called over REST, with all its capabilities. */
  async registerEpos(): Promise<void> {
    const { username, password } = this.world.accounts[0]?.epos ?? { username: '', password: '' };
    const capabilities = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
    const auth = { authType: 'basic', basic: { username, password } } as const;
    await this.#client(putRestIntegration, { body: { url: this.world.addresses.sandboxEpos, auth, capabilities } });
  }

  async #pay(body: NewIntent, more: Readonly<Record<string, unknown>>): Promise<string> {
    const { id, clientSessionSecret = '' } = await this.#client(createPaymentIntent, { body });
    const headers = { 'content-type': 'application/json', 'client-session-secret': clientSessionSecret };
    const card = { cardNumber: APPROVED.number, cardName: NAME, expiryDate: EXPIRY, cV2: CV2, ...more };
    const address = `${this.world.addresses.cardVault[0] ?? ''}${payByCard.path}`;
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(card) });
    const { statusCode, message } = payByCard.returns.parse(await answer.json());
    if (statusCode !== 0) throw new Error(`the payment was not taken: ${message}`);
    return id;
  }
}
