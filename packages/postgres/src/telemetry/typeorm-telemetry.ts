import {
  type AfterQueryEvent,
  type BeforeQueryEvent,
  type EntityManager,
  type EntitySubscriberInterface,
  QueryFailedError,
  type QueryRunner,
} from 'typeorm';
import { assert } from '@pos/core/refusals';
import { startRoundTrip } from './database-telemetry.js';

/**
 * Runs work of TypeORM on a lent connection. Its statements are observed under the label, and fail with the error of
 * the driver, as named statements do. One work at a time: TypeORM reads the label when it sends, so a second work would
 * report the statements of the first under its own.
 */
export async function runLabelledWork<T>(
  runner: QueryRunner,
  label: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const data = runner.data as { label?: string };
  assert(data.label === undefined, `${label} begins before ${data.label ?? ''} has ended`);
  data.label = label;
  try {
    return await work(runner.manager);
  } catch (error) {
    throw error instanceof QueryFailedError ? error.driverError : error;
  } finally {
    delete data.label;
  }
}

/**
 * Reports every statement of TypeORM as a round trip: under the label of its work, or, as at the start of a process,
 * under the first word of its text.
 */
export class StatementSubscriber implements EntitySubscriberInterface {
  readonly #sent = new WeakMap<QueryRunner, SentStatement[]>();

  beforeQuery({ queryRunner, query, parameters }: BeforeQueryEvent): void {
    const { label } = queryRunner.data as { readonly label?: string };
    const end = startRoundTrip([label === undefined ? { text: query } : { name: label, text: query }]);
    if (end === null) return;
    const sent = this.#sent.get(queryRunner) ?? [];
    this.#sent.set(queryRunner, [...sent, { query, parameters, end }]);
  }

  afterQuery({ queryRunner, query, parameters, success }: AfterQueryEvent): void {
    const sent = this.#sent.get(queryRunner) ?? [];
    // Answers that arrive together may be reported in another order.
    const ended = sent.find((each) => each.query === query && each.parameters === parameters);
    if (ended === undefined) return;
    this.#sent.set(
      queryRunner,
      sent.filter((each) => each !== ended),
    );
    ended.end(!success);
  }
}

interface SentStatement {
  readonly query: string;
  readonly parameters: BeforeQueryEvent['parameters'] | undefined;
  readonly end: (hasFailed: boolean) => void;
}
