import { findAddressGroup } from '@pos/core/rate-limits/address-group';
import type { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';

/** How many keys that turn out to be unknown an address may have looked up at once, and for long. */
const UNKNOWN_KEY_ALLOWANCE = { burst: 50, perSecond: 1, detail: 'Too many unknown API keys came from this address.' };

/** How long a key that was found is looked up again whatever its address has done, and how long an unknown one is not. */
const FOUND_MS = 3_600_000;
const UNKNOWN_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Refuses API keys that nobody has, before they are looked up, to addresses that send many of them. A key that was found
 * within the hour is always looked up, so an attacker behind the same address takes nothing from it.
 */
export class UnknownApiKeys {
  readonly #foundUntil = new Map<string, number>();
  readonly #unknownUntil = new Map<string, number>();

  /** The clock is monotonic and in milliseconds. */
  constructor(
    private readonly limits: Pick<SharedRateLimiter, 'take' | 'returnToken'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the key was looked up in vain a moment ago: its answer is the same, and costs its address nothing. */
  isUnknown(text: string): boolean {
    return (this.#unknownUntil.get(text) ?? 0) > this.now();
  }

  /** Takes what a lookup of an unknown key costs; `found` and `failed` give it back. Refuses `rate_limited`. */
  admitLookup(text: string, address: string): void | Promise<void> {
    if (this.#wasFound(text)) return;
    return this.limits.take(buildBucketName(address), UNKNOWN_KEY_ALLOWANCE);
  }

  /** The key has an owner: its lookup costs nothing. */
  recordFound(text: string, address: string): void {
    this.refundLookup(text, address);
    setNewest(this.#foundUntil, text, this.now() + FOUND_MS);
  }

  /** Nobody knows whether the key has an owner: the lookup failed, for no fault of its address. */
  refundLookup(text: string, address: string): void {
    if (!this.#wasFound(text)) this.limits.returnToken(buildBucketName(address), UNKNOWN_KEY_ALLOWANCE);
  }

  /** Nobody has the key. */
  recordUnknown(text: string): void {
    setNewest(this.#unknownUntil, text, this.now() + UNKNOWN_MS);
  }

  #wasFound(text: string): boolean {
    return (this.#foundUntil.get(text) ?? 0) > this.now();
  }
}

function buildBucketName(address: string): string {
  return `unknown keys of ${findAddressGroup(address)}`;
}

/** Keeps the value as the newest one, and drops the oldest beyond the maximum. */
function setNewest(map: Map<string, number>, name: string, value: number): void {
  map.delete(name);
  map.set(name, value);
  if (map.size <= KEYS_MAX) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
