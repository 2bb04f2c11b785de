import { provisionSandboxAccount } from '@pos/rest-contracts/sandbox';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SimulatedAccount } from '@pos/sandbox/environment';

const SandboxAccounts = z.array(provisionSandboxAccount.body);

/** The accounts of the sandbox: those of its start, and those that the control API added, stored for the next start. */
export class SandboxAccountFile {
  readonly #path: string;
  readonly #added = new Map<string, SimulatedAccount>();

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, 'accounts.json');
    for (const account of readAccounts(this.#path)) this.#added.set(account.accountId, account);
  }

  /** The accounts of the start list, then those added later. The list wins. */
  listAccounts(startedWith: string | undefined): SimulatedAccount[] {
    const listed = startedWith === undefined ? [] : readStartAccounts(startedWith);
    const names = new Set(listed.map(({ accountId }) => accountId));
    return [...listed, ...[...this.#added.values()].filter(({ accountId }) => !names.has(accountId))];
  }

  addAccount(account: SimulatedAccount): void {
    this.#added.set(account.accountId, account);
    this.#store();
  }

  /** An account of the start list is there again at the next start. */
  removeAccount(accountId: string): void {
    if (this.#added.delete(accountId)) this.#store();
  }

  #store(): void {
    // The file contains keys, and a killed process must not leave half of it.
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify([...this.#added.values()]), { mode: 0o600 });
    renameSync(next, this.#path);
  }
}

function readAccounts(path: string): SimulatedAccount[] {
  return existsSync(path) ? SandboxAccounts.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
}

function readStartAccounts(path: string): SimulatedAccount[] {
  if (!existsSync(path)) throw new Error(`SANDBOX_ACCOUNTS names a file that is not there: ${path}`);
  return readAccounts(path);
}
