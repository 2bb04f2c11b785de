import { addressGroup } from '@pos/core/address-group';
import type { RateLimits } from '@pos/store/rate-limits';

/** How many keys that turn out to be unknown an address may have looked up at once, and for long. */
const UNKNOWN = { burst: 50, perSecond: 1, detail: 'Too many unknown API keys came from this address.' };

/** How long a key that was found is looked up again whatever its address has done, and how long an unknown one is not. */
const FOUND_MS = 3_600_000;
const UNKNOWN_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Refuses API keys that nobody has, before they are looked up, to addresses that send many of them. A key that was found
 * within the hour is always looked up, so an attacker behind the same address takes nothing from it.
 */
export class UnknownKeys {
  readonly #foundUntil = new Map<string, number>();
  readonly #unknownUntil = new Map<string, number>();

  /** The clock is monotonic and in milliseconds. */
  constructor(
    private readonly limits: Pick<RateLimits, 'take' | 'giveBack'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the key was looked up in vain a moment ago: its answer is the same, and costs its address nothing. */
  isUnknown(text: string): boolean {
    return (this.#unknownUntil.get(text) ?? 0) > this.now();
  }

  /** Takes what a lookup of an unknown key costs; `found` and `failed` give it back. Refuses `rate_limited`. */
  admit(text: string, address: string): void | Promise<void> {
    if (this.#wasFound(text)) return;
    return this.limits.take(nameOf(address), UNKNOWN);
  }

  /** The key has an owner: its lookup costs nothing. */
  found(text: string, address: string): void {
    this.failed(text, address);
    keep(this.#foundUntil, text, this.now() + FOUND_MS);
  }

  /** Nobody knows whether the key has an owner: the lookup failed, for no fault of its address. */
  failed(text: string, address: string): void {
    if (!this.#wasFound(text)) this.limits.giveBack(nameOf(address), UNKNOWN);
  }

  /** Nobody has the key. */
  notFound(text: string): void {
    keep(this.#unknownUntil, text, this.now() + UNKNOWN_MS);
  }

  #wasFound(text: string): boolean {
    return (this.#foundUntil.get(text) ?? 0) > this.now();
  }
}

function nameOf(address: string): string {
  return `unknown keys of ${addressGroup(address)}`;
}

/** Keeps the value as the newest one, and drops the oldest beyond the maximum. */
function keep(map: Map<string, number>, name: string, value: number): void {
  map.delete(name);
  map.set(name, value);
  if (map.size <= KEYS_MAX) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
