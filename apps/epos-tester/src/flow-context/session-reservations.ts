import type { AccountId } from '@pos/core/identity';

/**
 * The sessions that the runs of this process use. An EPOS cannot distinguish the locks of two runs, so no two share
 * one.
 */
export class SessionReservations {
  readonly #owners = new Map<string, string>();

  /** False: another run uses the session. */
  reserve(accountId: AccountId, sessionId: string, runId: string): boolean {
    const key = `${accountId} ${sessionId.toLowerCase()}`;
    const owner = this.#owners.get(key) ?? runId;
    if (owner !== runId) return false;
    this.#owners.set(key, runId);
    return true;
  }

  /** Releases all sessions of the run. */
  release(runId: string): void {
    for (const [key, owner] of this.#owners) if (owner === runId) this.#owners.delete(key);
  }
}
