import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import type { TestNumber } from '@pos/core/cards';
import { createFreshNumber } from '@pos/sandbox/cards';
import type { SeededAccount } from '../dev/seed.js';
import type { DevWorld } from '../dev/world.js';

/** The body of an answer. */
export type CardResponse = Readonly<Record<string, unknown>>;

/** An unused card. */
export interface FreshCard {
  readonly cardNumber: string;
  readonly cV2: string;
}

/** These CV2s are in sources and may be found anywhere. */
const IN_SOURCES = ['020', '123', '341', '999'];

/** Sends valid and mistaken requests of payers and integrators, and stores the secrets in them. */
export class CardTraffic {
  /** Numbers that were sent only where numbers belong. */
  readonly rightly: FreshCard[] = [];
  /** Numbers that were sent where none belong. */
  readonly wrongly: FreshCard[] = [];
  /** Keys and secrets that the service returned. */
  readonly secrets: string[] = [];
  readonly account: SeededAccount;
  #payers = 0;

  constructor(readonly world: DevWorld) {
    const [account] = world.accounts;
    assert.ok(account !== undefined, 'a world has accounts');
    this.account = account;
  }

  /** A card with the behaviour of the test card, for valid requests. */
  card(like: TestNumber = '4456530000091014'): FreshCard {
    const card = this.#freshCard(like);
    this.rightly.push(card);
    return card;
  }

  /** A card that will be sent where it does not belong. */
  createStrayCard(): FreshCard {
    const card = this.#freshCard('4456530000091014');
    this.wrongly.push(card);
    return card;
  }

  /** A request of an integrator to the public API. Text is sent unchanged. */
  async api(method: string, path: string, { body, headers = {} }: CardRequest = {}): Promise<CardResponse> {
    return this.#send(`${this.world.addresses.api[0] ?? ''}${path}`, {
      method,
      body,
      headers: { ...this.#partner(), ...headers },
    });
  }

  /** A request to the vault with a payer's secret. */
  async payer(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<CardResponse> {
    const forwarded = { 'x-forwarded-for': this.#address() };
    return this.#vault(path, { body, headers: { ...forwarded, ...headers } });
  }

  /** A merchant's request to the vault, with a key that may send cards. */
  async merchant(path: string, body: unknown): Promise<CardResponse> {
    const key = this.account.keys.pci;
    const headers = { ...this.#partner(), authorization: `Basic ${key}`, 'idempotency-key': randomUUID() };
    return this.#vault(path, { body, headers });
  }

  /** A request to any other address of the service. */
  async sendTo(url: string, body: unknown): Promise<CardResponse> {
    return this.#send(url, { method: 'POST', body, headers: {} });
  }

  /** No two have one CV2, so that a card of a valid request is distinguished from one of a mistaken request. */
  #freshCard(like: TestNumber): FreshCard {
    const known = [...this.rightly, ...this.wrongly].map(({ cV2 }) => cV2);
    for (;;) {
      const cardNumber = createFreshNumber(like, randomInt(2 ** 32) / 2 ** 32);
      const cV2 = cardNumber.slice(10, 13);
      if (!IN_SOURCES.includes(cV2) && !known.includes(cV2)) return { cardNumber, cV2 };
    }
  }

  #vault(path: string, sending: CardRequest): Promise<CardResponse> {
    return this.#send(`${this.world.addresses.cardVault[0] ?? ''}${path}`, { method: 'POST', ...sending });
  }

  #partner(): Record<string, string> {
    return {
      authorization: `Basic ${this.account.keys.full}`,
      version: '2026-02-27',
      'software-house-id': 'softwareHouse1',
      'reseller-id': 'reseller1',
      'idempotency-key': randomUUID(),
    };
  }

  /** Payers are counted by their address. */
  #address(): string {
    this.#payers += 1;
    return `10.2.${this.#payers >> 8}.${this.#payers & 255}`;
  }

  async #send(
    url: string,
    { method, body, headers }: CardRequest & { readonly method: string },
  ): Promise<CardResponse> {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    });
    const text = await answer.text();
    const received = readCardResponse(text);
    const reason = JSON.stringify(received['reason'] ?? received['message'] ?? 'no reason');
    assert.ok(answer.status !== 500, `${method} ${new URL(url).pathname} was answered 500: ${reason}`);
    return received;
  }
}

interface CardRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function readCardResponse(text: string): CardResponse {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? { ...answer } : {};
  } catch {
    return {};
  }
}
