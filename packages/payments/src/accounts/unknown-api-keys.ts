import { findAddressGroup } from '@pos/core/rate-limits';
import type { SharedRateLimiter } from '@pos/store/rate-limits';

/** How many unknown keys of an address may be looked up at once, and in the long run. */
const UNKNOWN_KEY_ALLOWANCE = { burst: 50, perSecond: 1, detail: 'Too many unknown API keys came from this address.' };

/**
 * For how long a found key is always looked up, regardless of its address, and for how long an unknown one is not.
 */
const FOUND_MS = 3_600_000;
const UNKNOWN_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Refuses unknown API keys, before they are looked up, to addresses that send many of them. A key that was found
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

  /** Whether the key was not found a moment ago: its answer is the same, and takes nothing from its address. */
  isUnknown(text: string): boolean {
    return (this.#unknownUntil.get(text) ?? 0) > this.now();
  }

  /** Takes the token of a lookup; `recordFound` and `refundLookup` return it. Refuses `rate_limited`. */
  admitLookup(text: string, address: string): void | Promise<void> {
    if (this.#wasFound(text)) return;
    return this.limits.take(buildBucketName(address), UNKNOWN_KEY_ALLOWANCE);
  }

  /** The key has an owner: its token is returned. */
  recordFound(text: string, address: string): void {
    this.refundLookup(text, address);
    setNewest(this.#foundUntil, text, this.now() + FOUND_MS);
  }

  /** The lookup failed, which is not the fault of its address: its token is returned. */
  refundLookup(text: string, address: string): void {
    if (!this.#wasFound(text)) this.limits.returnToken(buildBucketName(address), UNKNOWN_KEY_ALLOWANCE);
  }

  /** The key has no owner. */
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
