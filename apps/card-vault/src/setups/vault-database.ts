import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import type { Idempotency, StoredAnswer } from '@pos/service-kit/request-checks';
import { Database } from '@pos/store/database';
import { findStoredAnswer } from '@pos/store/idempotency';
import { removeCardFromKey } from './idempotency-key.js';

/** The database as the role that sees schema vault. */
@Injectable()
export class VaultDatabase {
  constructor(readonly database: Database) {}

  /** The stored answer of a key, or null. Refuses a key that was used with another body. */
  async findStoredAnswer({ scope }: Caller, idempotency: Idempotency): Promise<StoredAnswer | null> {
    const storedKey = removeCardFromKey(idempotency);
    const answer = await this.database.read(scope, (reader) => findStoredAnswer(reader, storedKey));
    return answer === null ? null : { status: answer.status, body: JSON.stringify(answer.body) };
  }
}
