import { Resolver } from 'node:dns/promises';

/** The error of a name without addresses, and of a name with an address that is not public. */
export const NO_PUBLIC_ADDRESS = 'The name does not resolve to a public address.';

const LOOKUP_TRY_TIMEOUT_MS = 2_000;
const LOOKUP_TRIES = 2;
const LOOKUP_TIMEOUT_MS = 5_000;
/** The limit of simultaneous lookups of a process. */
const LOOKUPS_MAX = 128;
/** The limit of simultaneous lookups below one domain, so that a slow name server does not block the others. */
const LOOKUPS_PER_DOMAIN_MAX = 8;
const QUEUED_LOOKUPS_MAX = 1_000;

/** Resolves the IPv4 and IPv6 addresses of a name. Throws where there are none. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Resolves names that customers register. It queries name servers directly (c-ares): the system's lookup would occupy
 * one of four threads, which also serve files and cryptography, for as long as a customer's name server is silent.
 * Names of `/etc/hosts` are therefore unknown here; an operator lists such hosts in `EGRESS_ALLOW`.
 */
export class NameResolver {
  /** The running and waiting lookups by name; simultaneous requests for one name share one. */
  readonly #lookups = new Map<string, Promise<readonly string[]>>();
  readonly #queue: QueuedLookup[] = [];
  readonly #runningByDomain = new Map<string, number>();
  #running = 0;
  readonly #lookup: Lookup;
  readonly #limitMs: number;

  constructor({ lookup = queryNameServers, limitMs = LOOKUP_TIMEOUT_MS }: { lookup?: Lookup; limitMs?: number } = {}) {
    this.#lookup = lookup;
    this.#limitMs = limitMs;
  }

  /** The number of running lookups. */
  get pendingCount(): number {
    return this.#lookups.size;
  }

  /**
   * Returns the addresses of the name. Simultaneous requests for one name share a lookup. Lookups beyond the limits of
   * the process and of the name's domain wait. Throws after the time limit, which includes the wait.
   */
  resolve(host: string): Promise<readonly string[]> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = this.#lookups.get(name);
    if (known !== undefined) return known;
    if (this.#queue.length >= QUEUED_LOOKUPS_MAX)
      return Promise.reject(new Error('too many names wait for their lookup'));
    const pending = this.#lookUpWithTimeout(name).finally(() => {
      this.#lookups.delete(name);
    });
    this.#lookups.set(name, pending);
    return pending;
  }

  #lookUpWithTimeout(name: string): Promise<readonly string[]> {
    const timeout = new AbortController();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        timeout.abort();
        const queueIndex = this.#queue.indexOf(queuedLookup);
        if (queueIndex >= 0) this.#queue.splice(queueIndex, 1);
        reject(new Error('the name was not resolved in time'));
      }, this.#limitMs);
      const start = (): Promise<void> =>
        this.#lookup(name, timeout.signal)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
          });
      const queuedLookup: QueuedLookup = { domain: getDomain(name), start };
      this.#queue.push(queuedLookup);
      this.#startQueued();
    });
  }

  /** Starts the waiting lookups that the limits allow, the oldest first. */
  #startQueued(): void {
    while (this.#running < LOOKUPS_MAX) {
      const queueIndex = this.#queue.findIndex(({ domain }) => this.#countRunning(domain) < LOOKUPS_PER_DOMAIN_MAX);
      const [next] = queueIndex < 0 ? [] : this.#queue.splice(queueIndex, 1);
      if (next === undefined) return;
      this.#addRunning(next.domain, 1);
      void next.start().finally(() => {
        this.#addRunning(next.domain, -1);
        this.#startQueued();
      });
    }
  }

  #countRunning(domain: string): number {
    return this.#runningByDomain.get(domain) ?? 0;
  }

  #addRunning(domain: string, change: 1 | -1): void {
    this.#running += change;
    const count = this.#countRunning(domain) + change;
    if (count === 0) this.#runningByDomain.delete(domain);
    else this.#runningByDomain.set(domain, count);
  }
}

interface QueuedLookup {
  readonly domain: string;
  readonly start: () => Promise<void>;
}

/** An approximation of the registered domain: the last two parts of a name. */
function getDomain(name: string): string {
  return name.split('.').slice(-2).join('.');
}

async function queryNameServers(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_TRY_TIMEOUT_MS, tries: LOOKUP_TRIES });
  signal.addEventListener('abort', () => {
    resolver.cancel();
  });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((settled) => (settled.status === 'fulfilled' ? settled.value : []));
}

const sharedResolver = new NameResolver();

/** Resolves a name with the process's shared resolver. */
export function resolveName(host: string): Promise<readonly string[]> {
  return sharedResolver.resolve(host);
}
