import { provisionSandboxAccount } from '@pos/rest-contracts/sandbox-accounts';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { WorldAccount } from '@pos/sandbox/world';

const Accounts = z.array(provisionSandboxAccount.body);

/** The accounts of the sandbox: those it was started with, and those the control API added, kept over a restart. */
export class AccountFile {
  readonly #path: string;
  readonly #added = new Map<string, WorldAccount>();

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, 'accounts.json');
    for (const account of readAccounts(this.#path)) this.#added.set(account.accountId, account);
  }

  /** Those added before, after those of the list that the sandbox was started with; the list wins. */
  all(startedWith: string | undefined): WorldAccount[] {
    const listed = startedWith === undefined ? [] : readListed(startedWith);
    const names = new Set(listed.map(({ accountId }) => accountId));
    return [...listed, ...[...this.#added.values()].filter(({ accountId }) => !names.has(accountId))];
  }

  add(account: WorldAccount): void {
    this.#added.set(account.accountId, account);
    // The file holds keys, and a killed process must not leave half of it.
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify([...this.#added.values()]), { mode: 0o600 });
    renameSync(next, this.#path);
  }
}

function readAccounts(path: string): WorldAccount[] {
  return existsSync(path) ? Accounts.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
}

function readListed(path: string): WorldAccount[] {
  if (!existsSync(path)) throw new Error(`SANDBOX_ACCOUNTS names a file that is not there: ${path}`);
  return readAccounts(path);
}
