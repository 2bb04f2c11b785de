import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import type { AcquirerCalls } from './acquirer-calls.js';

/** What is refused while an attempt runs. */
const BUSY: ReadonlySet<Refusal['code']> = new Set(['payment_intent_busy', 'setup_intent_busy']);

/** Challenges whose payers have left. */
export class AbandonedChallenges {
  constructor(
    private readonly parts: { readonly database: Database; readonly calls: Pick<AcquirerCalls, 'pursueCall'> },
  ) {}

  /**
   * Does the work. If an abandoned challenge keeps it from being done, ends the challenge at the acquirer first. Without
   * the acquirer's acknowledgement the work is refused as before.
   */
  async runWithoutAbandoned<T>(
    scope: Scope,
    endAbandoned: (tx: Tx) => Promise<string | null>,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || !BUSY.has(error.code)) throw error;
      const reversalReference = await this.parts.database.transact(scope, endAbandoned);
      if (reversalReference === null) throw error;
      await this.parts.calls.pursueCall(scope, reversalReference);
      return work();
    }
  }
}
