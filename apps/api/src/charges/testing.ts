import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type * as intents from '@pos/rest-contracts/payment-intent-operations';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrate';
import { TEST_SECRETS, readTestServer } from '@pos/store/testing';
import { z } from 'zod';
import { at, type Own, UNKNOWN_INTENT } from '../payment-intents/testing.js';
import { keptCard } from '../saved-cards/testing.js';
import { createSetup, setupIn } from '../setup-intents/testing.js';
import { ApiWorld, jsonOf } from '../testing.js';

const VAULT = fileURLToPath(new URL('../../../card-vault/dist/main.js', import.meta.url));
const Started = z.object({ url: z.string(), internal_grpc: z.string() });
const INTERNAL_KEY = 'an internal key of thirty-two signs';

/** The API beside the real vault, which is a process of its own. */
export class ChargeWorld {
  private constructor(
    readonly api: ApiWorld,
    private readonly vault: ChildProcess,
    private readonly vaultUrl: string,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<ChargeWorld> {
    let started: Awaited<ReturnType<typeof startVault>> | null = null;
    const api = await ApiWorld.open(async ({ place, acquirer }) => {
      started = await startVault(place.ownerUrl, acquirer.address);
      return { CARD_VAULT_ADDRESS: started.internal_grpc, CARD_VAULT_KEY: INTERNAL_KEY, ...settings };
    });
    const { child, url } = started!;
    return new ChargeWorld(api, child, url);
  }

  async close(): Promise<void> {
    await this.api.close();
    const ended = new Promise((resolve) => this.vault.once('exit', resolve));
    this.vault.kill();
    await ended;
  }

  /** Sends to the vault as a payer's browser does. */
  async payer(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.vaultUrl}${path}`, {
      method: 'POST',
      // Each from an address of its own, for addresses are counted.
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
  async setup(
    more: Parameters<typeof createSetup>[1] = {},
    cardNumber = '4456530000091014',
  ): Promise<`si_sandbox_${string}`> {
    const { id, clientSessionSecret = '' } = await createSetup(this.api, more);
    const card = { cardNumber, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020', mitConsentGiven: true };
    const said = await this.payer('/client/payments', card, { 'client-session-secret': clientSessionSecret });
    if (said['statusCode'] !== 0) throw new Error(`the card was not set up: ${JSON.stringify(said)}`);
    return id as `si_sandbox_${string}`;
  }

  charge(id: string, idempotencyKey: string | null = null) {
    return this.api.send('POST', `/payment-intents/${id}/charge`, { headers: { idempotencyKey } });
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return jsonOf(await this.api.send('GET', path));
  }

  /** What the acquirer has booked of the payment's attempts: `2000 Approved`. */
  async booked(id: string): Promise<string[]> {
    const rows = await this.api.look<{ reference: string }>(
      `select reference from acquirer_calls where intent_id = $1 and kind = 'Authorise' order by created_at`,
      [id],
    );
    return rows.flatMap(({ reference }) => {
      const call = this.api.acquirer.door.acquirer.books.find(reference);
      return call === null ? [] : [`${call.amount.value} ${call.isReversed ? 'Reversed' : call.outcome}`];
    });
  }
}

async function startVault(ownerUrl: string, acquirerAddress: string) {
  const child = spawn(process.execPath, [VAULT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      DATABASE_URL: buildRoleUrl(ownerUrl, VAULT_ROLE, readTestServer().vaultPassword),
      ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      VAULT_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}`,
      ...{ HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_KEY, NODE_ENV: 'test' },
      ACQUIRER_ADDRESS: acquirerAddress,
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_CONNECTIONS: '8',
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const started = Started.safeParse(JSON.parse(line));
    if (!started.success) continue;
    child.stdout.resume();
    return { child, ...started.data };
  }
  throw new Error('the card vault did not start; is it built?');
}

type World = () => ApiWorld;

/** A setup intent with a card that nobody can charge: its number is nowhere. For what is refused before a number is needed. */
async function setupWithCard(world: ApiWorld, more: Parameters<typeof createSetup>[1] = {}) {
  const id = (await setupIn(world, 'Authorized', more)) as `si_sandbox_${string}`;
  await keptCard(world, { setupIntentId: id });
  return id;
}

/** A payment that its setup intent may be charged for. */
async function chargeable(
  world: ApiWorld,
  setupIntentId?: string,
  more: Partial<SentBodyOf<typeof intents.createPaymentIntent>> = {},
): Promise<string> {
  const setup = setupIntentId ?? (await setupWithCard(world));
  return (await world.intent({ setupIntentId: setup, ...more })).id;
}

/** A request to charge, which is accepted. */
export function chargeRequests(world: World) {
  return {
    chargePaymentIntent: async () => ({ path: `/payment-intents/${await chargeable(world())}/charge` }),
  };
}

/** How a charge is refused by its own rules. */
// prettier-ignore
export function chargeRefusals(world: World): readonly Own[] {
  const id = 'chargePaymentIntent';
  const of = (intent: string, key?: string) => at(`/payment-intents/${intent}/charge`, undefined, key);
  return [
  [id, 'payment_intent_not_found', [], () => of(UNKNOWN_INTENT)],
  [id, 'payment_intent_not_found', [], () => of('%00')],
  [id, 'payment_intent_not_found', [], async () => of(await chargeable(world()), world().keys.foreign)],
  [id, 'acquirer_not_configured', [], () => of(UNKNOWN_INTENT, world().keys.production)],
  [id, 'charge_without_setup_intent', ['setupIntentId'], async () => of(await world().intentIn('Created'))],
  ...(['Authorized', 'Captured', 'Reversed', 'Refunded', 'Canceled'] as const).map((status): Own =>
    [id, 'not_chargeable', [], async () => of(await world().intentIn(status))]),
  [id, 'charge_exceeds_intended', ['amount'], async () => of(await chargeable(world(), await setupWithCard(world(), { intendedAmount: { value: 1999, currencyCode: 'GBP' } })))],
  [id, 'charge_exceeds_intended', ['amount'], async () => {
    const setup = await setupWithCard(world(), { intendedAmount: { value: 2000, currencyCode: 'GBP' } });
    return of(await chargeable(world(), setup, { tipsAmount: { value: 1, currencyCode: 'GBP' } }));
  }],
  [id, 'charge_exceeds_intended', ['amount'], async () => of(await chargeable(world(), await setupWithCard(world(), { intendedAmount: { value: 9000, currencyCode: 'EUR' } })))],
  [id, 'setup_intent_not_chargeable', [], async () => {
    const setup = await setupWithCard(world());
    const intent = await chargeable(world(), setup);
    await world().send('DELETE', `/setup-intents/${setup}?includeAuthorized=true`);
    return of(intent);
  }],
  [id, 'setup_intent_not_chargeable', [], async () => {
    const setup = await setupWithCard(world());
    const intent = await chargeable(world(), setup);
    await world().look(`update saved_cards set state = 'Erased' where setup_intent_id = $1 returning id`, [setup]);
    return of(intent);
  }],
  [id, 'payment_intent_busy', [], async () => {
    const intent = await chargeable(world());
    await world().sale(intent);
    return of(intent);
  }],
  [id, 'setup_intent_busy', [], async () => {
    const setup = await setupWithCard(world());
    const [first, second] = [await chargeable(world(), setup), await chargeable(world(), setup)];
    // Nobody serves the vault here, so the charge stays open.
    await world().send('POST', `/payment-intents/${first}/charge`);
    return of(second);
  }],
  ];
}
