import type { Caller } from '@pos/core/caller';
import type { Scope } from '@pos/core/identity';
import { type Call, Reply } from '@pos/service-kit/serve';
import type { Operation, ReturnsOf } from '@pos/rest-contracts/operation';
import type { Database, Reader, Tx } from '@pos/store/database';
import { once, recallAnswer } from '@pos/store/once';

type Asked<O extends Operation> = Pick<Call<O>, 'idempotency'> & { readonly caller: Caller };

/** The database as a controller uses it: one read, or one transaction that is done once per idempotency key. */
export class ApiDatabase {
  constructor(readonly database: Database) {}

  /** Reads in the caller's scope. */
  read<T>(scope: Scope, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.read(scope, work);
  }

  /** Does the work once: a repeat under the same key gets the bytes of the first answer. */
  async once<O extends Operation>(
    { caller, idempotency }: Asked<O>,
    work: (tx: Tx) => Promise<ReturnsOf<O>>,
  ): Promise<ReturnsOf<O> | Reply> {
    if (idempotency === null) return this.database.transact(caller.scope, work);
    const { status, body, replayed } = await once(this.database, { scope: caller.scope, idempotency }, async (tx) => ({
      status: 200,
      body: await work(tx),
    }));
    return new Reply({ status, body: body === null ? null : JSON.stringify(body) }, replayed);
  }

  /**
   * Keeps the answer of work that takes more than one transaction: a repeat that comes after its end gets the bytes of
   * the first answer. The work itself sees to it that two of it never run at once.
   */
  async keep<O extends Operation>(call: Asked<O>, work: () => Promise<ReturnsOf<O>>): Promise<ReturnsOf<O> | Reply> {
    const made = await work();
    return call.idempotency === null ? made : this.once<O>(call, () => Promise.resolve(made));
  }

  /** What a key was answered before, or null. Refuses a key that was used with another body. */
  async recall({ scope }: Caller, idempotency: Parameters<typeof recallAnswer>[1]) {
    const answer = await this.database.read(scope, (reader) => recallAnswer(reader, idempotency));
    if (answer === null) return null;
    return { status: answer.status, body: answer.body === null ? null : JSON.stringify(answer.body) };
  }
}
