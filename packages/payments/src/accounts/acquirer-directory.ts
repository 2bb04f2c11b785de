import { DEFAULT_ACQUIRER } from '@pos/core/accounts';
import { type AcquirerCapabilities, type AcquirerPort, COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { type Environment, ENVIRONMENTS } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';

/** Names an acquirer: the names of the environments are independent of each other. */
export interface AcquirerName {
  readonly environment: Environment;
  readonly name: string;
}

/** Finds the acquirer that is asked; null where the process has none of this name. */
export interface AcquirerPorts {
  find(environment: Environment, name: string): AcquirerPort | null;
}

/**
 * The acquirers that a process has, and what each has declared. It is read for each payment, so it does no I/O:
 * `CapabilityRefresher` keeps it up to date.
 */
export class AcquirerDirectory {
  /** Null until the acquirer has declared something, now or to an earlier process. */
  readonly #declared = new Map<string, AcquirerCapabilities | null>();

  constructor(readonly names: readonly AcquirerName[]) {
    for (const each of names) this.#declared.set(formatName(each), null);
  }

  /** Whether the process has an acquirer of this name. */
  isNamed(acquirer: AcquirerName): boolean {
    return this.#declared.has(formatName(acquirer));
  }

  /** The acquirers that have not declared anything yet: they take no payments. */
  listUndeclared(): AcquirerName[] {
    return this.names.filter((each) => this.#declared.get(formatName(each)) === null);
  }

  /** Whether real money can be taken: production has an acquirer. */
  hasAny(environment: Environment): boolean {
    return this.names.some((each) => each.environment === environment);
  }

  /** What the acquirer can do, or null: it is not configured, or has not declared anything yet. */
  findCapabilities(environment: Environment, name: string): AcquirerCapabilities | null {
    return this.#declared.get(formatName({ environment, name })) ?? null;
  }

  /**
   * What the acquirer can do. Refuses `acquirer_not_configured` where the process has no such acquirer, and
   * `service_unavailable` while it has not declared anything.
   */
  getCapabilities(environment: Environment, name: string): AcquirerCapabilities {
    const declared = this.#declared.get(formatName({ environment, name }));
    if (declared === undefined) {
      const which = name === DEFAULT_ACQUIRER ? 'no acquirer' : `no acquirer "${name}"`;
      throw new Refusal('acquirer_not_configured', `${which} is configured for ${environment}`);
    }
    if (declared === null) {
      throw new Refusal('service_unavailable', `the acquirer "${name}" has not declared yet what it can do`);
    }
    return declared;
  }

  /** Stores what an acquirer of the process has declared. Returns whether it is new. */
  declare(acquirer: AcquirerName, capabilities: AcquirerCapabilities): boolean {
    const before = this.#declared.get(formatName(acquirer));
    this.#declared.set(formatName(acquirer), capabilities);
    return JSON.stringify(before) !== JSON.stringify(capabilities);
  }
}

/** The acquirers without a name, each of which can do everything: for processes that have no adapter to ask. */
export function createCompleteDirectory(environments: readonly Environment[] = ENVIRONMENTS): AcquirerDirectory {
  const directory = new AcquirerDirectory(environments.map((environment) => ({ environment, name: DEFAULT_ACQUIRER })));
  for (const each of directory.names) directory.declare(each, COMPLETE_CAPABILITIES);
  return directory;
}

function formatName({ environment, name }: AcquirerName): string {
  return `${environment} ${name}`;
}
