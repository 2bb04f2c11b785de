import type { AccountId } from '@pos/core/identity/identity';

/**
 * The sessions that the runs of this process use. An EPOS cannot distinguish the locks of two runs, so no two share
 * one.
 */
export class SessionsInUse {
  readonly #taken = new Map<string, string>();

  /** False: another run uses the session. */
  take(accountId: AccountId, sessionId: string, runId: string): boolean {
    const key = `${accountId} ${sessionId.toLowerCase()}`;
    const owner = this.#taken.get(key) ?? runId;
    if (owner !== runId) return false;
    this.#taken.set(key, runId);
    return true;
  }

  /** Releases all sessions of the run. */
  release(runId: string): void {
    for (const [key, owner] of this.#taken) if (owner === runId) this.#taken.delete(key);
  }
}
