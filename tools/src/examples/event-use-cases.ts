import { IDS } from '@pos/rest-contracts/examples/example-ids';
import type { OperationExample } from '@pos/rest-contracts/examples/operation-example';
import type { Operation } from '@pos/rest-contracts/operation/operation';
import type { RecordedEvent } from './event-recorder.js';

/** The payments of the examples that the page about webhook events shows, in its order. */
const USE_CASES: readonly { readonly title: string; readonly id: string }[] = [
  { title: 'A payment online, refunded in part', id: IDS.paid },
  { title: 'A hold that is captured in part', id: IDS.held },
  { title: 'A payment that is reversed on its day', id: IDS.reversed },
  { title: 'A payment that is given up', id: IDS.canceled },
  { title: 'A payment with 3-D Secure', id: IDS.challenged },
  { title: 'A charge of a stored card', id: IDS.charged },
  { title: 'A sale on a card machine', id: IDS.onMachine },
  { title: 'A sale with a signature', id: IDS.signed },
];

/** A request that was played, and the events of its payment until the next request about the payment. */
export interface PlayedStep {
  readonly example: OperationExample;
  readonly operation: Operation;
  readonly events: readonly RecordedEvent[];
}

/** The section of the page: for each payment its requests, and the events that each caused. */
export function renderUseCases(steps: readonly PlayedStep[], realIds: ReadonlyMap<string, string>): string {
  return USE_CASES.map(({ title, id }) => {
    const rows = listRows(steps, { id, realId: realIds.get(id) ?? '' });
    return `### ${title}\n\n| request | events, in their order |\n|---|---|\n${rows.join('\n')}\n`;
  }).join('\n');
}

function listRows(steps: readonly PlayedStep[], { id, realId }: { id: string; realId: string }): string[] {
  const rows: { readonly request: string; readonly events: RecordedEvent[] }[] = [];
  for (const { example, operation, events } of steps) {
    const own = events.filter(({ paymentIntentId }) => paymentIntentId === realId);
    const isAbout = JSON.stringify([example.params, example.body, example.answer]).includes(id) || own.length > 0;
    if (!isAbout || example.refusal !== undefined) continue;
    const last = rows.at(-1);
    // What happens until a read has the result belongs to the request before it.
    if (operation.method === 'GET' && last !== undefined) last.events.push(...own);
    else if (operation.method !== 'GET')
      rows.push({ request: `\`${operation.method} ${operation.path}\``, events: own });
  }
  return rows.flatMap(({ request, events }) =>
    events.length === 0 ? [] : [`| ${request} | ${renderEvents(events)} |`],
  );
}

function renderEvents(events: readonly RecordedEvent[]): string {
  const lines = events.map(({ kind, value }) =>
    kind === 'terminal_session.notification' ? `\`${kind}\`, several` : `\`${kind}\` ${value}`,
  );
  const once = lines.filter((line, place) => line !== lines[place - 1]);
  return once.join('<br>');
}
