import type { Database } from '../database/database.js';
import type { QueueableStatement } from '@pos/postgres/statements';
import type { StatementBatch } from '@pos/postgres/testing';

/** A statement, and in which round trip it was sent. */
export interface RecordedStatement {
  /** Its name without the hash of its text, or its text if it has no name. */
  readonly name: string;
  readonly text: string;
  /** The statements that are combined in it. */
  readonly combined: readonly QueueableStatement[];
  readonly roundTrip: number;
}

/** The statements that a database client sends. */
export class StatementRecorder {
  readonly #statements: RecordedStatement[] = [];
  readonly #stop: () => void;
  #roundTrip = 0;
  #isSending = false;

  /** Records from now on. */
  constructor({ dataSource }: Database) {
    const create = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (...mode) => {
      const runner = create(...mode);
      const connect = runner.connect.bind(runner);
      runner.connect = async (): Promise<unknown> => this.#wrapClient((await connect()) as object);
      return runner;
    };
    this.#stop = () => {
      dataSource.createQueryRunner = create;
    };
  }

  /** The statements since the last call. */
  take(): RecordedStatement[] {
    return this.#statements.splice(0);
  }

  stop(): void {
    this.#stop();
  }

  #wrapClient(client: object): object {
    return new Proxy(client, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        if (key !== 'query') return member.bind(target) as unknown;
        return (query: string | Pick<StatementBatch, 'statements'>): unknown => {
          this.#record(query);
          return Reflect.apply(member, target, [query]);
        };
      },
    });
  }

  /** What is sent within a tick of the event loop leaves together. */
  #record(query: string | Pick<StatementBatch, 'statements'>): void {
    if (!this.#isSending) {
      this.#isSending = true;
      this.#roundTrip += 1;
      process.nextTick(() => (this.#isSending = false));
    }
    const statements =
      typeof query === 'string'
        ? [{ name: query, text: query, combined: [] }]
        : query.statements.map(({ statement: { name, text, combined = [] } }) => ({
            name: name.replace(/_[0-9a-f]{12}$/, ''),
            text,
            combined,
          }));
    this.#statements.push(...statements.map((each) => ({ ...each, roundTrip: this.#roundTrip })));
  }
}

/** The number of round trips that the statements took. */
export function countRoundTrips(statements: readonly RecordedStatement[]): number {
  return new Set(statements.map(({ roundTrip }) => roundTrip)).size;
}
