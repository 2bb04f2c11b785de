import { randomUUID } from 'node:crypto';
import { completeChallenge, payByCard } from '@pos/rest-contracts/card-vault';
import { createCustomer, createCustomerSecret } from '@pos/rest-contracts/accounts';
import type { Operation } from '@pos/rest-contracts/operation';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { createSetupIntent } from '@pos/rest-contracts/setup-intents';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { z } from 'zod';
import type { SeededAccount } from '../../dev/seed.js';
import type { DevWorld } from '../../dev/world.js';
import { BODY_APPS, type BodyApp, type BodyOperation } from './body-operations.js';
import { getExample } from './schema-values.js';

/** The answer to a request. Status 0: no answer in time, as for an advance of the clock by days. */
export interface BodyResponse {
  readonly status: number;
  readonly mediaType: string;
}

const NOT_IN_TIME: BodyResponse = { status: 0, mediaType: '' };

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

type CreatedResource = Operation & { readonly body: NonNullable<Operation['body']> };

const ANSWER_MS_MAX = 20_000;
/** The sandbox challenges the payer for this card. */
const CHALLENGED_NUMBER = '4456530000001096';

/** Settings of a world without rate limits, whose answers are not validated against the contract. */
export const UNLIMITED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '*': { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_SECOND: '1000000' },
  ...Object.fromEntries(BODY_APPS.map((app) => [app, { NODE_ENV: 'production' }])),
};

/** Sends bodies to the operations of a world, as callers who may call them. */
export class BodyTraffic {
  #senders = 0;

  private constructor(
    private readonly world: DevWorld,
    private readonly account: SeededAccount,
    private readonly ids: Readonly<Record<string, string>>,
  ) {}

  /** Creates what paths name: an intent, a customer and so on. What cannot be created here gets an unknown id. */
  static async open(world: DevWorld): Promise<BodyTraffic> {
    const account = world.accounts[1];
    if (account === undefined) throw new Error('the world lacks an account');
    const maker = new BodyTraffic(world, account, {});
    const ids = {
      paymentIntentId: await maker.#idOf(createPaymentIntent),
      setupIntentId: await maker.#idOf(createSetupIntent),
      customerId: await maker.#idOf(createCustomer),
      method: 'ListTables',
    };
    return new BodyTraffic(world, account, ids);
  }

  /** Creates what the request needs. The request itself starts when the result is called. */
  async prepare({ app, operation, release }: BodyOperation): Promise<(json: string) => Promise<BodyResponse>> {
    const customer = operation.customerSecret === 'authorization' ? await this.#customer() : null;
    const ids = { ...this.ids, ...customer?.ids };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
    const url = `${this.#addressOf(app)}${path}`;
    const secrets = { ...customer?.headers, ...(await this.#secretOf(operation)) };
    const headers = { ...this.#headers(operation), version: release, ...secrets };
    return async (json) => {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      try {
        const answer = await fetch(url, { method: operation.method, headers, body: json, signal });
        await answer.arrayBuffer();
        return { status: answer.status, mediaType: answer.headers.get('content-type') ?? '' };
      } catch (error) {
        if (signal.aborted) return NOT_IN_TIME;
        throw error;
      }
    };
  }

  #addressOf(app: BodyApp): string {
    const { api, cardVault, gatewayHttp, eposTester } = this.world.addresses;
    const addresses = { api: api[0], 'card-vault': cardVault[0], 'pay-at-table-gateway': gatewayHttp[0] };
    return app === 'epos-tester' ? eposTester : (addresses[app] ?? '');
  }

  #headers({ permission }: Operation): Headers {
    const { full, pci } = this.account.keys;
    this.#senders += 1;
    return {
      'content-type': 'application/json',
      authorization: `Basic ${permission === 'setup.card' ? pci : full}`,
      'software-house-id': 'softwareHouse1',
      'reseller-id': 'reseller1',
      'idempotency-key': randomUUID(),
      // A caller without a key is counted by its address.
      'x-forwarded-for': `10.${(this.#senders >> 16) & 255}.${(this.#senders >> 8) & 255}.${this.#senders & 255}`,
    };
  }

  /** Uses its own intent, which may be paid by it; for the end of a challenge, one whose payer is challenged. */
  async #secretOf({ clientSecret, id }: Operation): Promise<Headers> {
    if (clientSecret !== true) return {};
    const { clientSessionSecret } = await this.#make(createPaymentIntent);
    const secret = { 'client-session-secret': String(clientSessionSecret) };
    if (id === completeChallenge.id) await this.#challenge(secret);
    return secret;
  }

  async #challenge(secret: Headers): Promise<void> {
    const answer = await fetch(`${this.#addressOf('card-vault')}${payByCard.path}`, {
      method: payByCard.method,
      headers: { ...this.#headers(payByCard), ...secret },
      body: JSON.stringify({ ...(getExample(payByCard.body) as Members), cardNumber: CHALLENGED_NUMBER }),
    });
    const { statusCode } = (await answer.json()) as Members;
    if (statusCode !== 3) throw new Error(`the payer was not challenged: ${String(statusCode)}`);
  }

  /** Uses its own customer, because other requests delete customers, and the secret of its app. */
  async #customer(): Promise<{ readonly ids: Headers; readonly headers: Headers }> {
    const customerId = await this.#idOf(createCustomer);
    const path = createCustomerSecret.path.replace('{customerId}', customerId);
    const { secret } = await this.#make({ ...createCustomerSecret, path, body: z.object({}) });
    return { ids: { customerId }, headers: { authorization: `Basic ${String(secret)}` } };
  }

  async #idOf(operation: CreatedResource): Promise<string> {
    return String((await this.#make(operation))['id']);
  }

  async #make({ path, body }: CreatedResource): Promise<Members> {
    const answer = await fetch(`${this.#addressOf('api')}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${this.account.keys.full}`,
        version: LATEST_RELEASE,
      },
      body: JSON.stringify(getExample(body)),
    });
    if (answer.status !== 200) throw new Error(`POST ${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Members;
  }
}
