import { setTimeout as pause } from 'node:timers/promises';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { listFlows, readRun, startFlow } from '@pos/rest-contracts/operators';
import { type CommandDefinition, type CommandRun, defineCommand } from '../command/command-definition.js';
import { EXIT_CODES } from '../command/exit-codes.js';
import { readPairs, texts } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import { toPrintable } from '../listen/webhook-forwarder.js';

type FlowRun = ReturnsOf<typeof readRun>;

const POLL_MS = 500;

const list = defineCommand({
  path: 'tester list',
  examples: ['tester list'],
  flags: {},
  run: async (run) => {
    for (const flow of await run.connect().tester()(listFlows, {})) {
      const params = flow.params.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ');
      run.report(flow, `${flow.name.padEnd(40)} ${params}`.trimEnd());
    }
    return undefined;
  },
});

const start = defineCommand({
  path: 'tester run',
  details: ['Exit code 4: the flow failed. The tester as a command of its own certifies an EPOS.'],
  examples: ['tester run tables-pay-in-full', 'tester run tables-pay-in-full --param gratuity=150'],
  flags: { param: texts('A parameter of the flow; may be given several times.', 'name=value') },
  operands: { placeholder: 'flow', brief: 'The name of a flow.', min: 1, max: 1 },
  run: async (run, { values, operands: [name = ''] }) => {
    const given = readPairs('--param', values.param ?? []);
    const tester = run.connect().tester();
    const flows = await tester(listFlows, {});
    const flow = flows.find((each) => each.name === name);
    if (flow === undefined) throw new WrongUse(`${name}: must be one of ${flows.map((each) => each.name).join(', ')}`);
    const params = Object.fromEntries(
      Object.entries(given).map(([param, value]) => [param, readParam(flow.params, param, value)]),
    );
    const flowId = await tester(startFlow, { body: { flow: name, params } });
    run.remark(`Run ${flowId}`);
    const result = await watchRun(run, () => tester(readRun, { params: { flowId } }));
    run.report(result, `${result.flowName}: ${result.status}`);
    return result.status === 'SUCCESS' ? undefined : EXIT_CODES.finding;
  },
});

function readParam(
  params: readonly { readonly name: string; readonly type: string }[],
  name: string,
  value: string,
): unknown {
  const known = params.find((each) => each.name === name);
  if (known === undefined) {
    throw new WrongUse(`--param ${name}: must be one of ${params.map((each) => each.name).join(', ')}`);
  }
  if (known.type === 'integer' && /^-?\d{1,12}$/.test(value)) return Number(value);
  if (known.type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  // The service refuses what is no integer or boolean, and names it.
  return value;
}

/** Reports each step once it has ended, as the progress of long work. */
async function watchRun(run: CommandRun, read: () => Promise<FlowRun>): Promise<FlowRun> {
  const progress = run.showProgress('Running');
  let reported = 0;
  for (let polls = 0; ; polls += 1) {
    run.stop.throwIfAborted();
    const current = await read();
    const ended = current.steps.filter(({ status }) => status !== 'IN_PROGRESS');
    progress.end();
    for (const { name, status, additionalInformation } of ended.slice(reported)) {
      const information = shorten(toPrintable(additionalInformation.join('; ')));
      run.remark(`  ${String(reported + 1).padStart(2)} ${status.padEnd(8)} ${name} ${information}`.trimEnd());
      reported += 1;
    }
    if (current.status !== 'IN_PROGRESS') return current;
    progress.update(polls, null);
    await pause(POLL_MS);
  }
}

/** Requests and answers are as long as the bill is; `--json` has all of them. */
function shorten(information: string): string {
  return information.length > INFORMATION_MAX ? `${information.slice(0, INFORMATION_MAX)}...` : information;
}

const INFORMATION_MAX = 160;

export const TESTER_COMMANDS: readonly CommandDefinition[] = [list, start];
