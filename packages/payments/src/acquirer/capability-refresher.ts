import { type AcquirerCapabilities, COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import { listDeclaredAcquirers, storeDeclaration } from '@pos/store/repositories';
import type { AcquirerDirectory, AcquirerName, AcquirerPorts } from '../accounts/acquirer-directory.js';

/** An adapter that is older than the call had to do everything. */
const CAPABILITIES_BEFORE_THE_CALL: AcquirerCapabilities = { ...COMPLETE_CAPABILITIES, wallets: [] };

/** How long one question may take. No payment waits for it. */
const DEADLINE_MS = 5_000;

/** What a pass found, for the log of the process. */
export interface CapabilityReport {
  /** The acquirer has declared something else than before. */
  readonly onChanged: (acquirer: AcquirerName, capabilities: AcquirerCapabilities) => void;
  /** The acquirer did not answer; what it declared before stays in force. Reported once until it answers. */
  readonly onUnanswered: (acquirer: AcquirerName, reason: string) => void;
}

/** Keeps a directory up to date: from the database at the start, and from the adapters. */
export class CapabilityRefresher {
  readonly #unanswered = new Set<string>();
  /** What was declared and could not be stored yet; the next question stores it. */
  readonly #unstored = new Set<string>();

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly directory: AcquirerDirectory;
      readonly ports: AcquirerPorts;
      readonly report: CapabilityReport;
    },
  ) {}

  /**
   * Reads what each acquirer declared to an earlier process, and asks at once those that never declared anything.
   * An acquirer that does not answer stays undeclared, and never fails the start. Does nothing when all have declared.
   * A stored declaration never replaces one that this process has: the row that was read may be older.
   */
  async load(): Promise<void> {
    const { database, directory } = this.parts;
    if (directory.listUndeclared().length === 0) return;
    const declared = await database.readSystem(listDeclaredAcquirers);
    for (const acquirer of directory.listUndeclared()) {
      const stored = declared.find(
        ({ environment, name }) => environment === acquirer.environment && name === acquirer.name,
      );
      if (stored !== undefined) directory.declare(acquirer, stored.capabilities);
    }
    await Promise.all(directory.listUndeclared().map((each) => this.#refresh(each)));
  }

  /** Asks every acquirer. */
  async refresh(): Promise<void> {
    await Promise.all(this.parts.directory.names.map((each) => this.#refresh(each)));
  }

  async #refresh(acquirer: AcquirerName): Promise<void> {
    const { database, directory, ports, report } = this.parts;
    const port = requireValue(ports.find(acquirer.environment, acquirer.name), `the acquirer ${acquirer.name}`);
    const answer = await port.getCapabilities({ deadlineMs: DEADLINE_MS });
    const name = `${acquirer.environment} ${acquirer.name}`;
    if (answer.outcome === 'unknown') {
      if (!this.#unanswered.has(name)) report.onUnanswered(acquirer, answer.reason);
      this.#unanswered.add(name);
      return;
    }
    this.#unanswered.delete(name);
    // A proxy without a route answers like an adapter without the call: it replaces no declaration.
    const isDeclared = directory.findCapabilities(acquirer.environment, acquirer.name) !== null;
    if (answer.outcome === 'notImplemented' && isDeclared) return;
    const capabilities = answer.outcome === 'declared' ? answer.capabilities : CAPABILITIES_BEFORE_THE_CALL;
    if (directory.declare(acquirer, capabilities)) {
      report.onChanged(acquirer, capabilities);
      this.#unstored.add(name);
    }
    if (!this.#unstored.has(name)) return;
    await storeDeclaration(database, { ...acquirer, capabilities });
    this.#unstored.delete(name);
  }
}
