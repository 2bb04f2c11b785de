import {
  type Caller,
  listNamedPartners,
  NO_PARTNERS,
  type PartnerName,
  type Partners,
  type PartnerStatus,
} from '@pos/core/accounts';
import { Refusal } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { type IdempotencyKeyName, isKeyClaimed } from '@pos/store/idempotency';
import { type PartnerRegistry, readPartnerRegistry } from '@pos/store/repositories';

/** A partner of a request that may not be named, or would be refused if partners were enforced. */
interface RefusedPartner extends PartnerName {
  /** Null: nobody has registered it. */
  readonly status: PartnerStatus | null;
}

/** Receives each unregistered partner of production requests while partners are not enforced, once in a while. */
type PartnerReporter = (partner: RefusedPartner) => void;

/** What lets a retired partner send a request. */
interface PartnerRequest {
  /** It reads, ends or returns what was begun before. */
  readonly continuesPayment?: boolean | undefined;
  /** A request that was begun under its key before may be repeated until it ends. */
  readonly idempotency?: IdempotencyKeyName | null;
}

interface LoadedRegistry extends Pick<PartnerRegistry, 'revision' | 'isEnforced'> {
  readonly statuses: ReadonlyMap<string, PartnerStatus>;
}

const REPORT_INTERVAL_MS = 60 * 60_000;
const REPORTED_MAX = 1_000;

/**
 * The registered partners, in memory. The lookup of an API key also reads the revision of the partners, so a check costs no
 * statement until a change has raised it. A change is seen when the next key is looked up: within a second, as that of
 * a key.
 */
export class PartnerDirectory {
  #loaded: LoadedRegistry | null = null;
  #loading: Promise<LoadedRegistry> | null = null;
  #newestRevision = 0;
  readonly #reportedUntil = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly report: PartnerReporter = () => undefined,
  ) {}

  /** Receives the revision of the partners at each lookup of a key. */
  noteRevision(revision: number): void {
    this.#newestRevision = Math.max(this.#newestRevision, revision);
  }

  /**
   * Refuses a production request that names a partner which is not registered, or is retired and begins something. A
   * request of the portal names none: the portal is a part of the service.
   */
  async requireRegistered(
    caller: Pick<Caller, 'scope' | 'actor'> & Partial<Partners>,
    { continuesPayment = false, idempotency = null }: PartnerRequest = {},
  ): Promise<void> {
    if (caller.scope.environment !== 'production' || caller.actor !== undefined) return;
    const named = listNamedPartners({ ...NO_PARTNERS, ...caller });
    if (named.length === 0) return;
    const { isEnforced, statuses } = await this.#getRegistry();
    const refused = named
      .map((partner) => ({ ...partner, status: statuses.get(toKey(partner)) ?? null }))
      .filter(({ status }) => status !== 'Active');
    if (refused.length === 0) return;
    if (!isEnforced) {
      for (const partner of refused) this.#reportOnce(partner);
      return;
    }
    const isRetired = refused.every(({ status }) => status === 'Retired');
    if (isRetired && (continuesPayment || (await this.#isKeyClaimed(caller.scope, idempotency)))) return;
    throw createPartnerRefusal(refused);
  }

  async #isKeyClaimed(scope: Scope, idempotency: IdempotencyKeyName | null): Promise<boolean> {
    return idempotency !== null && this.database.read(scope, (reader) => isKeyClaimed(reader, idempotency));
  }

  async #getRegistry(): Promise<LoadedRegistry> {
    if (this.#loaded !== null && this.#loaded.revision >= this.#newestRevision) return this.#loaded;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #load(): Promise<LoadedRegistry> {
    const required = this.#newestRevision;
    const { revision, isEnforced, partners } = await this.database.readSystem(readPartnerRegistry);
    const loaded = { revision, isEnforced, statuses: new Map(partners.map((each) => [toKey(each), each.status])) };
    this.#loaded = loaded;
    // A database that was restored counts again from an earlier revision.
    if (revision < required) this.#newestRevision = revision;
    return loaded;
  }

  #reportOnce(partner: RefusedPartner): void {
    const key = toKey(partner);
    const now = performance.now();
    if (now < (this.#reportedUntil.get(key) ?? 0)) return;
    if (this.#reportedUntil.size >= REPORTED_MAX) this.#reportedUntil.clear();
    this.#reportedUntil.set(key, now + REPORT_INTERVAL_MS);
    this.report(partner);
  }
}

function toKey({ kind, id }: PartnerName): string {
  return `${kind}:${id}`;
}

function createPartnerRefusal(refused: readonly RefusedPartner[]): Refusal {
  const members = Object.fromEntries(
    refused.map(({ kind, status }) => [`${kind}-id`, [status === null ? 'Is not registered.' : 'Is retired.']]),
  );
  const detail = refused
    .map(({ kind, status }) => `The header ${kind}-id names a partner that ${DESCRIPTIONS[status ?? 'unknown']}.`)
    .join(' ');
  return new Refusal('partner_not_registered', detail, { members });
}

const DESCRIPTIONS: Readonly<Record<PartnerStatus | 'unknown', string>> = {
  unknown: 'is not registered for production',
  Retired: 'is retired',
  Active: 'is registered',
};
