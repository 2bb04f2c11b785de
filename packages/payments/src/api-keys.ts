import type { Caller } from '@pos/core/caller';
import { findKeyOwners, type KeyOwner, touchApiKey } from '@pos/store/api-keys';
import type { Database } from '@pos/store/database';
import { RateLimits } from '@pos/store/rate-limits';
import { UnknownKeys } from './unknown-keys.js';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What a key says of its bearer. */
export type Bearer = Pick<Caller, 'scope' | 'keyId' | 'permissions'> & Pick<KeyOwner, 'ratePerSecond'>;

/** A deleted key opens nothing after this, in any process. */
const FRESH_MS = 900;
const KEPT_MAX = 10_000;
/** How often the use of a key is noted. */
const NOTED_EVERY_MS = 60_000;
const KEY_LENGTH_MAX = 200;
const KEY_FORM = /^sk_(sandbox|prod)_[A-Za-z0-9_-]+$/;

/** The keys this process has lately seen, so that not every request asks the database whose key it carries. */
export class KeyRing {
  readonly #kept = new Map<string, { readonly owner: Promise<KeyOwner | null>; readonly until: number }>();

  readonly #notedUntil = new Map<string, number>();

  /** What is asked with the next question, and its answer. */
  readonly #texts = new Set<string>();
  #waiting: Promise<Map<string, KeyOwner>> | null = null;

  readonly #unknown: UnknownKeys;

  /** The clock, by which keys are remembered as unknown, is monotonic and in milliseconds. */
  constructor(
    private readonly database: Database,
    { limits = new RateLimits(database), now }: { readonly limits?: RateLimits; readonly now?: () => number } = {},
  ) {
    this.#unknown = new UnknownKeys(limits, now);
  }

  /**
   * Whose key the text is, at most a second old; null for a key that is unknown, deleted or no key at all. Refuses
   * `rate_limited`, without asking the database, when too many unknown keys came from the address.
   */
  async authenticate(text: string, address: string): Promise<Bearer | null> {
    if (text.length > KEY_LENGTH_MAX || !KEY_FORM.test(text)) return null;
    const owner = await this.#owner(text, address);
    if (owner === null) return null;
    this.#note(owner, text);
    const { scope, id: keyId, permissions, ratePerSecond } = owner;
    return { scope, keyId, permissions, ratePerSecond };
  }

  /** Notes beside the request that the key was used. A note that cannot be made is made a minute later: it is no evidence. */
  #note(owner: KeyOwner, text: string): void {
    const { id, scope } = owner;
    const now = performance.now();
    if (now < (this.#notedUntil.get(id) ?? 0)) return;
    if (this.#notedUntil.size >= KEPT_MAX) this.#notedUntil.clear();
    this.#notedUntil.set(id, now + NOTED_EVERY_MS);
    this.database.transact(scope, (tx) => touchApiKey(tx, owner, text)).catch(() => undefined);
  }

  #owner(text: string, address: string): Promise<KeyOwner | null> {
    const kept = this.#kept.get(text);
    if (kept !== undefined && performance.now() < kept.until) return kept.owner;
    if (this.#unknown.isUnknown(text)) return Promise.resolve(null);
    const admission = this.#unknown.admit(text, address);
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const owner = this.#findOwner(text, { address, admission });
    this.#kept.set(text, { owner, until: performance.now() + FRESH_MS });
    // A refusal, and a database that did not answer, are no answer: the next request asks again.
    owner.catch(() => this.#kept.delete(text));
    return owner;
  }

  async #findOwner(
    text: string,
    { address, admission }: { readonly address: string; readonly admission: void | Promise<void> },
  ): Promise<KeyOwner | null> {
    // Nearly always it is there already, and then the question leaves with those of the same turn.
    if (admission !== undefined) await admission;
    const found = await this.#askTogether(text).catch((error: unknown) => {
      this.#unknown.failed(text, address);
      throw error;
    });
    if (found === null) this.#unknown.notFound(text);
    else this.#unknown.found(text, address);
    return found;
  }

  /** All that is asked in one turn of the process is one question: a gateway re-admits thousands of lines each second. */
  async #askTogether(text: string): Promise<KeyOwner | null> {
    this.#waiting ??= this.#answerWaiting();
    this.#texts.add(text);
    return (await this.#waiting).get(text) ?? null;
  }

  async #answerWaiting(): Promise<Map<string, KeyOwner>> {
    await endOfTurn();
    const texts = [...this.#texts];
    this.#texts.clear();
    this.#waiting = null;
    return this.database.system((reader) => findKeyOwners(reader, texts));
  }
}
