import { toggle } from '@pos/command-line';
import { readFileSync } from 'node:fs';
import { OPERATIONS } from '@pos/sdk';
import { defineCommand } from '../command/command-definition.js';
import { readPairs, text, texts } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';

type OperationId = keyof typeof OPERATIONS;
const IDS = Object.keys(OPERATIONS) as readonly OperationId[];
const WIDTH = Math.max(...IDS.map((id) => id.length));

/** `pos api`. */
export const apiCommand = defineCommand({
  path: 'api',
  details: [
    'Without an operation it lists all of them. The members of the path follow the operation, in their order.',
    'A change gets an idempotency key, which stays the same over the retries of this call. Give your own to repeat a call.',
  ],
  examples: [
    'api readPaymentIntent pi_sandbox_...',
    `api createPaymentIntent --body '{"amount": {"value": 1250, "currencyCode": "GBP"}, "reference": "table 4"}'`,
    'api refundPaymentIntent pi_sandbox_... --body @refund.json --idempotency-key refund-17',
    'api listDeliveries sub_... --query state=DeadLettered',
  ],
  flags: {
    body: text('The body as JSON, or the name of its file behind @.', 'json'),
    query: texts('A member of the query; may be given several times.', 'name=value'),
    idempotencyKey: text('Repeats under the same key take effect once.', 'key'),
    customerSecret: text('For the operations that a customer calls.', 'secret'),
    production: toggle('Permits a change with a key that is no sandbox key.'),
  },
  operands: { placeholder: 'operation', brief: 'The operation and the ids of its path.', min: 0, max: 3, choices: IDS },
  run: async (run, { values, operands: [id, ...members] }) => {
    if (id === undefined) {
      for (const each of IDS) {
        const { method, path, summary } = OPERATIONS[each];
        run.report({ id: each, method, path, summary }, `${each.padEnd(WIDTH)}  ${summary}`);
      }
      return undefined;
    }
    if (!isOperation(id)) throw new WrongUse(`${id} is no operation${suggest(id)}; pos api lists all`);
    const facts = OPERATIONS[id];
    const names = [...facts.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    if (members.length !== names.length) {
      const wanted = names.length === 0 ? 'no ids' : names.join(', ');
      throw new WrongUse(`${id} takes ${wanted} behind its name, not ${members.length} words`);
    }
    const input = readInput(facts.input, values);
    const { client, isSandbox } = run.connect();
    if (!isSandbox && facts.repeat !== 'read' && !values.production) {
      throw new WrongUse(`${id} would change production; add --production if you mean it`);
    }
    const { idempotencyKey, customerSecret } = values;
    const args = [...members, ...(facts.input === null ? [] : [input]), { idempotencyKey, customerSecret }];
    // The arguments were checked against the table of operations, which the types are derived from.
    const call = client.call.bind(client) as (id: OperationId, ...args: readonly unknown[]) => Promise<unknown>;
    const answer = await call(id, ...args);
    run.report(answer ?? null, answer === undefined ? 'done' : JSON.stringify(answer, null, 2));
    return undefined;
  },
});

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(OPERATIONS, id);
}

function suggest(id: string): string {
  const near = IDS.filter((each) => each.toLowerCase().includes(id.toLowerCase())).slice(0, 4);
  return near.length === 0 ? '' : `; perhaps ${near.join(' or ')}`;
}

interface GivenInput {
  readonly body: string | undefined;
  readonly query: readonly string[] | undefined;
}

function readInput(kind: 'body' | 'query' | null, { body, query }: GivenInput): unknown {
  if (body !== undefined && kind !== 'body') throw new WrongUse('this operation takes no --body');
  if (query !== undefined && kind !== 'query') throw new WrongUse('this operation takes no --query');
  if (kind === 'query') return readPairs('--query', query ?? []);
  if (kind === null) return undefined;
  if (body === undefined) throw new WrongUse('this operation needs --body');
  try {
    return JSON.parse(body.startsWith('@') ? readFileSync(body.slice(1), 'utf8') : body) as unknown;
  } catch (error) {
    throw new WrongUse(`--body: ${error instanceof Error ? error.message : String(error)}`);
  }
}
