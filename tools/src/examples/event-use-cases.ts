import { EXAMPLE_PAYMENTS, type OperationExample } from '@pos/rest-contracts/examples';
import type { Operation } from '@pos/rest-contracts/operation';
import type { RecordedEvent } from './event-recorder.js';

/** A payment of the examples: its requests that cause events, and the events of each in their order. */
export interface UseCase {
  readonly key: string;
  readonly title: string;
  readonly steps: readonly UseCaseStep[];
}

interface UseCaseStep {
  readonly method: string;
  readonly path: string;
  /** Without a value: several events, of which each has another one. */
  readonly events: readonly { readonly kind: string; readonly value: string | null }[];
}

/** A request that was played, and the events of its payment until the next request about the payment. */
export interface PlayedStep {
  readonly example: OperationExample;
  readonly operation: Operation;
  readonly events: readonly RecordedEvent[];
}

/** What the played payments have shown. */
export function listUseCases(steps: readonly PlayedStep[], realIds: ReadonlyMap<string, string>): readonly UseCase[] {
  return EXAMPLE_PAYMENTS.map(({ key, title, id }) => ({
    ...{ key, title },
    steps: listSteps(steps, { id, realId: realIds.get(id) ?? '' }),
  }));
}

/** The section of the page: for each payment its requests, and the events that each caused. */
export function renderUseCases(useCases: readonly UseCase[]): string {
  return useCases
    .map(({ title, steps }) => {
      const rows = steps.map(({ method, path, events }) => {
        const names = events.map(({ kind, value }) =>
          value === null ? `\`${kind}\`, several` : `\`${kind}\` ${value}`,
        );
        return `| \`${method} ${path}\` | ${names.join('<br>')} |`;
      });
      return `### ${title}\n\n| request | events, in their order |\n|---|---|\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

/** The same as data of the contract, which the portal shows. */
export function renderUseCaseSource(useCases: readonly UseCase[]): string {
  const cases = useCases.map(
    ({ key, steps }) => `  {\n    key: '${key}',\n    steps: [\n${steps.map(renderStep).join('')}    ],\n  },\n`,
  );
  return `${HEAD}export const EVENT_USE_CASES = [\n${cases.join('')}] as const;\n`;
}

const HEAD = `// Generated from the events that the played examples have caused; \`pnpm golden --filter=@pos/tools\` rewrites it.

/** For each kind of payment its requests that cause events, and the events of each in their order. */
`;

function renderStep({ method, path, events }: UseCaseStep): string {
  const each = events.map(({ kind, value }) => `{ kind: '${kind}', value: ${value === null ? 'null' : `'${value}'`} }`);
  const list =
    each.length === 1 ? `[${each.join('')}]` : `[\n${each.map((one) => `          ${one},\n`).join('')}        ]`;
  return `      {\n        method: '${method}',\n        path: '${path}',\n        events: ${list},\n      },\n`;
}

function listSteps(steps: readonly PlayedStep[], { id, realId }: { id: string; realId: string }): UseCaseStep[] {
  const rows: { readonly operation: Operation; readonly events: RecordedEvent[] }[] = [];
  for (const { example, operation, events } of steps) {
    const own = events.filter(({ paymentIntentId }) => paymentIntentId === realId);
    const isAbout = JSON.stringify([example.params, example.body, example.answer]).includes(id) || own.length > 0;
    if (!isAbout || example.refusal !== undefined) continue;
    const last = rows.at(-1);
    // What happens until a read has the result belongs to the request before it.
    if (operation.method === 'GET' && last !== undefined) last.events.push(...own);
    else if (operation.method !== 'GET') rows.push({ operation, events: own });
  }
  return rows.flatMap(({ operation: { method, path }, events }) =>
    events.length === 0 ? [] : [{ method, path, events: mergeRepeats(events) }],
  );
}

/** How many notifications a machine sends depends on its speed. */
function mergeRepeats(events: readonly RecordedEvent[]): UseCaseStep['events'] {
  const named = events.map(({ kind, value }) => ({
    kind,
    value: kind === 'terminal_session.notification' ? null : value,
  }));
  return named.filter(({ kind, value }, place) => {
    const before = named[place - 1];
    return before?.kind !== kind || before.value !== value;
  });
}
