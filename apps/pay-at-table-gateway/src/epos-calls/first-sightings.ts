import { formatScope, type Scope } from '@pos/core/identity';

const SIGHTINGS_MAX = 10_000;

/** Remembers when this process first received a session whose EPOS sends no creation time. The oldest are forgotten. */
export class FirstSightings {
  readonly #seen = new Map<string, Date>();

  getFirstSeenAt(scope: Scope, sessionId: string): Date {
    const key = `${formatScope(scope)} ${sessionId}`;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const now = new Date();
    this.#seen.set(key, now);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > SIGHTINGS_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return now;
  }
}
