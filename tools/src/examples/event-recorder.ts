import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { events, findRows } from '@pos/store/relations';

/** An event of an account, as a webhook delivers it. */
export interface RecordedEvent {
  readonly kind: string;
  /** The status, or the state of a terminal session. */
  readonly value: string;
  readonly paymentIntentId: string | null;
}

/** Reads the events that an account has got since the last call, in their order. */
export class EventRecorder {
  readonly #seen = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly scope: Scope,
  ) {}

  async takeEvents(): Promise<readonly RecordedEvent[]> {
    const rows = await this.database.read(this.scope, (reader) =>
      findRows(reader, events, { where: {}, orderBy: 'recorded_at, subject_id, number' }),
    );
    const added = rows.filter(({ id }) => !this.#seen.has(id));
    for (const { id } of added) this.#seen.add(id);
    return added.map(({ kind, body }) => toEvent(kind, body.toString('utf8')));
  }
}

function toEvent(kind: string, body: string): RecordedEvent {
  const { data } = JSON.parse(body) as { data: Readonly<Record<string, string | undefined>> };
  return {
    kind,
    value: data['state'] ?? data['paymentStatus'] ?? '',
    paymentIntentId: data['paymentIntentId'] ?? null,
  };
}
