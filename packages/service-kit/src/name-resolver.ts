import { Resolver } from 'node:dns/promises';

/** What is said of a name without addresses, and in the same words of one with an address that is not public. */
export const NO_PUBLIC_ADDRESS = 'The name does not resolve to a public address.';

const TRY_MS = 2_000;
const TRIES = 2;
const LIMIT_MS = 5_000;
/** Lookups that run at a time in a process. */
const LOOKUPS_MAX = 128;
/** Lookups that run at a time below one domain: a slow name server occupies no more of the others' room. */
const LOOKUPS_PER_DOMAIN_MAX = 8;
const WAITING_MAX = 1_000;

/** The IPv4 and IPv6 addresses of a name. Throws where there are none. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Resolves names that customers register. It asks name servers directly (c-ares): the system's lookup would occupy one of
 * four threads, which also serve files and cryptography, for as long as a customer's name server is silent. Names of
 * `/etc/hosts` are therefore unknown here; an operator lists such hosts in `EGRESS_ALLOW`.
 */
export class NameResolver {
  /** Lookups by name, running and waiting; who asks for the same name shares one. */
  readonly #lookups = new Map<string, Promise<readonly string[]>>();
  readonly #waiting: WaitingLookup[] = [];
  readonly #runningByDomain = new Map<string, number>();
  #running = 0;
  readonly #lookup: Lookup;
  readonly #limitMs: number;

  constructor({ lookup = askNameServers, limitMs = LIMIT_MS }: { lookup?: Lookup; limitMs?: number } = {}) {
    this.#lookup = lookup;
    this.#limitMs = limitMs;
  }

  /** How many names are being resolved now. */
  get pendingCount(): number {
    return this.#lookups.size;
  }

  /**
   * The addresses of the name. Callers that ask for one name at the same time share a lookup. Lookups beyond the limits of
   * the process and of the name's domain wait for their turn. Throws after the time limit, the wait included.
   */
  resolve(host: string): Promise<readonly string[]> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = this.#lookups.get(name);
    if (known !== undefined) return known;
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(new Error('too many names wait for their lookup'));
    const asked = this.#lookUpInTime(name).finally(() => {
      this.#lookups.delete(name);
    });
    this.#lookups.set(name, asked);
    return asked;
  }

  #lookUpInTime(name: string): Promise<readonly string[]> {
    const late = new AbortController();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        late.abort();
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(new Error('the name was not resolved in time'));
      }, this.#limitMs);
      const start = (): Promise<void> =>
        this.#lookup(name, late.signal)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
          });
      const waiting: WaitingLookup = { domain: domainOf(name), start };
      this.#waiting.push(waiting);
      this.#startWaiting();
    });
  }

  /** Starts what waits and has room, the oldest first. */
  #startWaiting(): void {
    while (this.#running < LOOKUPS_MAX) {
      const place = this.#waiting.findIndex(({ domain }) => this.#countOf(domain) < LOOKUPS_PER_DOMAIN_MAX);
      const [next] = place < 0 ? [] : this.#waiting.splice(place, 1);
      if (next === undefined) return;
      this.#add(next.domain, 1);
      void next.start().finally(() => {
        this.#add(next.domain, -1);
        this.#startWaiting();
      });
    }
  }

  #countOf(domain: string): number {
    return this.#runningByDomain.get(domain) ?? 0;
  }

  #add(domain: string, change: 1 | -1): void {
    this.#running += change;
    const count = this.#countOf(domain) + change;
    if (count === 0) this.#runningByDomain.delete(domain);
    else this.#runningByDomain.set(domain, count);
  }
}

interface WaitingLookup {
  readonly domain: string;
  readonly start: () => Promise<void>;
}

/** The domain that somebody registers, nearly: the last two parts of a name. */
function domainOf(name: string): string {
  return name.split('.').slice(-2).join('.');
}

async function askNameServers(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  signal.addEventListener('abort', () => {
    resolver.cancel();
  });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
}

const shared = new NameResolver();

/** Resolves a name by the resolver that the whole process shares. */
export function resolveName(host: string): Promise<readonly string[]> {
  return shared.resolve(host);
}
