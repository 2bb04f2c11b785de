import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type * as intents from '@pos/rest-contracts/payment-intents';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations';
import { TEST_SECRETS, readTestServer } from '@pos/store/testing';
import { z } from 'zod';
import { createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import { createStoredCard } from './saved-card-requests.js';
import { createSetup, createSetupIn } from './setup-requests.js';
import { ApiTestEnvironment, parseJson } from './api-test-environment.js';
import { getInternalTls } from '@pos/service-kit/testing';

const VAULT_PROGRAM = fileURLToPath(new URL('../../../card-vault/bundle/main.js', import.meta.url));
const API_PROGRAM = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
const VaultStart = z.object({ url: z.string(), internal_grpc: z.string() });

/** The API and the real vault, which runs as a process of its own. */
export class ChargeTestEnvironment {
  private constructor(
    readonly api: ApiTestEnvironment,
    private readonly vault: ChildProcess,
    private readonly vaultUrl: string,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<ChargeTestEnvironment> {
    let started: Awaited<ReturnType<typeof startVault>> | null = null;
    const api = await ApiTestEnvironment.open(async ({ testDatabase, acquirer }) => {
      started = await startVault(testDatabase.ownerUrl, acquirer.address);
      return { CARD_VAULT_ADDRESS: started.internal_grpc, ...getInternalTls('api'), ...settings };
    });
    const { child, url } = started!;
    return new ChargeTestEnvironment(api, child, url);
  }

  async close(): Promise<void> {
    await this.api.close();
    const ended = new Promise((resolve) => this.vault.once('exit', resolve));
    this.vault.kill();
    await ended;
  }

  /** Sends a request to the vault as a payer's browser does. */
  async payer(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.vaultUrl}${path}`, {
      method: 'POST',
      // Each request has its own address, because the vault limits calls by address.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': this.#address(), ...headers },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  #payers = 0;

  #address(): string {
    this.#payers += 1;
    return `10.1.${this.#payers >> 8}.${this.#payers & 255}`;
  }

  /** A setup intent whose payer has authorised a card. */
  async createSetup(
    more: Parameters<typeof createSetup>[1] = {},
    cardNumber = '4456530000091014',
  ): Promise<`si_sandbox_${string}`> {
    const { id, clientSessionSecret = '' } = await createSetup(this.api, more);
    const card = { cardNumber, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020', mitConsentGiven: true };
    const output = await this.payer('/client/payments', card, { 'client-session-secret': clientSessionSecret });
    if (output['statusCode'] !== 0) throw new Error(`the card was not set up: ${JSON.stringify(output)}`);
    return id as `si_sandbox_${string}`;
  }

  /**
   * Charges a payment at a process of the API that kills itself at the fault point. The request is made under the key and
   * gets no answer. Resolves once the process has ended, with the signal that ended it.
   */
  async chargeAndCrash(id: string, idempotencyKey: string, faultPoint: string): Promise<string | null> {
    const child = spawn(process.execPath, [API_PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...this.api.buildEnvironment({ LOG_LEVEL: 'info' }), FAULT_POINT: faultPoint },
    });
    const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const url = await readStart(child.stdout, z.object({ url: z.string() }));
    const answer = await fetch(`${url.url}/payment-intents/${id}/charge`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Basic ${this.api.keys.full}`, version: '2026-02-27', idempotencyKey },
        ...{ 'software-house-id': 'softwareHouse1', 'reseller-id': 'reseller1' },
      },
    }).catch(() => null);
    if (answer !== null) throw new Error(`the API answered ${answer.status} instead of crashing`);
    return ended;
  }

  /** The leases of requests whose process has crashed are over, so that a repeat of their keys continues. */
  async endLeases(): Promise<void> {
    await this.api.queryRows(
      `update idempotency_keys set leased_until = clock_timestamp() - interval '1 second'
       where leased_until is not null returning key`,
    );
  }

  charge(id: string, idempotencyKey: string | null = null) {
    return this.api.sendRequest('POST', `/payment-intents/${id}/charge`, { headers: { idempotencyKey } });
  }

  async readJson(path: string): Promise<Record<string, unknown>> {
    return parseJson(await this.api.sendRequest('GET', path));
  }

  /** The bookings of the payment's attempts at the acquirer: `2000 Approved`. */
  async listBookings(id: string): Promise<string[]> {
    const rows = await this.api.queryRows<{ reference: string }>(
      `select reference from acquirer_calls where intent_id = $1 and kind = 'Authorise' order by created_at`,
      [id],
    );
    return rows.flatMap(({ reference }) => {
      const call = this.api.acquirer.simulator.acquirer.books.findCall(reference);
      return call === null ? [] : [`${call.amount.value} ${call.isReversed ? 'Reversed' : call.outcome}`];
    });
  }
}

async function startVault(ownerUrl: string, acquirerAddress: string) {
  const child = spawn(process.execPath, [VAULT_PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      DATABASE_URL: buildRoleUrl(ownerUrl, VAULT_ROLE, readTestServer().vaultPassword),
      ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      VAULT_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}`,
      ...{ HTTP_PORT: '0', GRPC_PORT: '0', ...getInternalTls('card-vault'), NODE_ENV: 'test' },
      ACQUIRER_ADDRESS: acquirerAddress,
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_CONNECTIONS: '4',
    },
  });
  return { child, ...(await readStart(child.stdout, VaultStart)) };
}

/** The line in which a process has logged that it serves. */
async function readStart<Line>(output: Readable, line: z.ZodType<Line>): Promise<Line> {
  for await (const text of createInterface({ input: output })) {
    const started = line.safeParse(JSON.parse(text));
    if (!started.success) continue;
    output.resume();
    return started.data;
  }
  throw new Error('the process did not start; is it built?');
}

type EnvironmentGetter = () => ApiTestEnvironment;

/** A setup intent with a card without a stored number, for charges that are refused before the number is needed. */
async function createSetupWithCard(testEnvironment: ApiTestEnvironment, more: Parameters<typeof createSetup>[1] = {}) {
  const id = (await createSetupIn(testEnvironment, 'Authorized', more)) as `si_sandbox_${string}`;
  await createStoredCard(testEnvironment, { setupIntentId: id });
  return id;
}

/** A payment whose setup intent may be charged. */
async function createChargeable(
  testEnvironment: ApiTestEnvironment,
  setupIntentId?: string,
  more: Partial<SentBodyOf<typeof intents.createPaymentIntent>> = {},
): Promise<string> {
  const setup = setupIntentId ?? (await createSetupWithCard(testEnvironment));
  return (await testEnvironment.createIntent({ setupIntentId: setup, ...more })).id;
}

/** An accepted request for a charge. */
export function createChargeRequests(testEnvironment: EnvironmentGetter) {
  return {
    chargePaymentIntent: async () => ({ path: `/payment-intents/${await createChargeable(testEnvironment())}/charge` }),
  };
}

/** The refusals that a charge declares for itself. */
// oxfmt-ignore
export function createChargeRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const id = 'chargePaymentIntent';
  const of = (intent: string, key?: string) => createRequest(`/payment-intents/${intent}/charge`, undefined, key);
  return [
  [id, 'payment_intent_not_found', [], () => of(UNKNOWN_INTENT)],
  [id, 'payment_intent_not_found', [], () => of('%00')],
  [id, 'payment_intent_not_found', [], async () => of(await createChargeable(testEnvironment()), testEnvironment().keys.foreign)],
  [id, 'acquirer_not_configured', [], () => of(UNKNOWN_INTENT, testEnvironment().keys.production)],
  [id, 'acquirer_lacks_capability', [], async () => {
    const intent = await createChargeable(testEnvironment());
    await testEnvironment().limitAcquirer({ lacks: ['merchant_initiated'] });
    return of(intent);
  }],
  [id, 'charge_without_setup_intent', ['setupIntentId'], async () => of(await testEnvironment().createIntentIn('Created'))],
  ...(['Authorized', 'Captured', 'Reversed', 'Refunded', 'Canceled'] as const).map((status): RefusalCase =>
    [id, 'not_chargeable', [], async () => of(await testEnvironment().createIntentIn(status))]),
  [id, 'charge_exceeds_intended', ['amount'], async () => of(await createChargeable(testEnvironment(), await createSetupWithCard(testEnvironment(), { intendedAmount: { value: 1999, currencyCode: 'GBP' } })))],
  [id, 'charge_exceeds_intended', ['amount'], async () => {
    const setup = await createSetupWithCard(testEnvironment(), { intendedAmount: { value: 2000, currencyCode: 'GBP' } });
    return of(await createChargeable(testEnvironment(), setup, { tipsAmount: { value: 1, currencyCode: 'GBP' } }));
  }],
  [id, 'charge_exceeds_intended', ['amount'], async () => of(await createChargeable(testEnvironment(), await createSetupWithCard(testEnvironment(), { intendedAmount: { value: 9000, currencyCode: 'EUR' } })))],
  [id, 'setup_intent_not_chargeable', [], async () => {
    const setup = await createSetupWithCard(testEnvironment());
    const intent = await createChargeable(testEnvironment(), setup);
    await testEnvironment().sendRequest('DELETE', `/setup-intents/${setup}?includeAuthorized=true`);
    return of(intent);
  }],
  [id, 'setup_intent_not_chargeable', [], async () => {
    const setup = await createSetupWithCard(testEnvironment());
    const intent = await createChargeable(testEnvironment(), setup);
    await testEnvironment().queryRows(`update saved_cards set state = 'Erased' where setup_intent_id = $1 returning id`, [setup]);
    return of(intent);
  }],
  [id, 'payment_intent_busy', [], async () => {
    const intent = await createChargeable(testEnvironment());
    await testEnvironment().startSale(intent);
    return of(intent);
  }],
  // No server listens at the vault's address here, so the charge stays open.
  [id, 'acquirer_unanswered', [], async () => of(await createChargeable(testEnvironment()))],
  [id, 'setup_intent_busy', [], async () => {
    const setup = await createSetupWithCard(testEnvironment());
    const [first, second] = [await createChargeable(testEnvironment(), setup), await createChargeable(testEnvironment(), setup)];
    // No server listens at the vault's address here, so the charge stays open.
    await testEnvironment().sendRequest('POST', `/payment-intents/${first}/charge`);
    return of(second);
  }],
  ];
}
