import { breakMachine, listEposSessions, listMachines, resetSandbox } from '@pos/rest-contracts/sandbox';
import { defineCommand } from '../command/command-definition.js';
import { text, wholeNumber } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';

const UNPLUGGED = ['now', 'after-confirm', 'after-approval'] as const;
const SECONDS_MAX = 600;

const tables = defineCommand({
  path: 'tables',
  examples: ['tables', 'tables --account garden-room'],
  flags: {},
  run: async (run) => {
    const { control, accountId } = run.connect().sandbox();
    for (const session of (await control(listEposSessions, { params: { accountId } })).sessions) {
      const { sessionId, tableName, name, totalAmount, paidAmount, currency, isLocked } = session;
      const bill = `${paidAmount} of ${totalAmount} ${currency} paid`;
      run.report(session, `${sessionId} ${(tableName ?? name).padEnd(12)} ${bill}${isLocked ? ', locked' : ''}`);
    }
    return undefined;
  },
});

const listTerminals = defineCommand({
  path: 'terminals list',
  examples: ['terminals list'],
  flags: {},
  run: async (run) => {
    const { client } = run.connect();
    for (const terminal of await client.terminals.list()) {
      run.report(terminal, `${terminal.properties.tid} ${terminal.status.padEnd(9)} ${terminal.id}`);
    }
    return undefined;
  },
});

const unplug = defineCommand({
  path: 'terminals unplug',
  details: ['With `after-approval` it loses its power between the approval of the card and its report.'],
  examples: ['terminals unplug 90000001', 'terminals unplug 90000001 --when after-approval --seconds 30'],
  flags: {
    when: text(`${UNPLUGGED.join(', ')}; now when left out.`, 'moment'),
    seconds: wholeNumber('For how long; 10 when left out.', { min: 1, max: SECONDS_MAX }),
  },
  operands: { placeholder: 'tid', brief: 'The machine.', min: 1, max: 1 },
  run: async (run, { values, operands: [tid = ''] }) => {
    const when = UNPLUGGED.find((each) => each === (values.when ?? 'now'));
    if (when === undefined) throw new WrongUse(`--when ${values.when}: must be one of ${UNPLUGGED.join(', ')}`);
    const { control, accountId } = run.connect().sandbox();
    const seconds = values.seconds ?? 10;
    const body = { unplug: { when, forMs: seconds * 1000 } };
    const machine = await control(breakMachine, { params: { accountId, tid }, body });
    run.report(machine, `${tid} is switched off ${when}, for ${seconds} s`);
    return undefined;
  },
});

const plug = defineCommand({
  path: 'terminals plug',
  examples: ['terminals plug 90000001'],
  flags: {},
  operands: { placeholder: 'tid', brief: 'The machine.', min: 1, max: 1 },
  run: async (run, { operands: [tid = ''] }) => {
    const { control, accountId } = run.connect().sandbox();
    const machine = await control(breakMachine, { params: { accountId, tid }, body: {} });
    run.report(machine, `${tid} has no faults`);
    return undefined;
  },
});

const machines = defineCommand({
  path: 'terminals machines',
  examples: ['terminals machines'],
  flags: {},
  run: async (run) => {
    const { control, accountId } = run.connect().sandbox();
    for (const machine of (await control(listMachines, { params: { accountId } })).machines) {
      const { tid, behaviour, isConnected, inUse } = machine;
      const state = isConnected ? (inUse ? 'in use' : 'free') : 'off';
      run.report(machine, `${tid} ${behaviour.padEnd(12)} ${state}`);
    }
    return undefined;
  },
});

const reset = defineCommand({
  path: 'sandbox reset',
  details: ['It applies to all accounts of npm start. Payments of the service stay as they are.'],
  examples: ['sandbox reset'],
  flags: {},
  run: async (run) => {
    await run.connect().sandbox().control(resetSandbox, {});
    run.report({ isReset: true }, 'The sandbox is reset.');
    return undefined;
  },
});

const create = defineCommand({
  path: 'sandbox new',
  details: [
    'It has all keys, ten card machines and an EPOS, and shares nothing with other accounts: one for each run of CI. ' +
      'The output is its name, for --account; --json has its key too. It ends with `pos sandbox delete`, or with npm start.',
  ],
  examples: ['sandbox new', 'sandbox new --json'],
  flags: {},
  run: async (run) => {
    const { accountServer, apiUrl } = run.connect();
    const created = await accountServer().create();
    run.report({ ...created, apiUrl }, created.name);
    run.remark(`Choose it with --account ${created.name}, or set POS_API_URL=${apiUrl} POS_API_KEY=${created.apiKey}`);
    return undefined;
  },
});

const remove = defineCommand({
  path: 'sandbox delete',
  details: [
    'Its keys are refused within a second, its subscriptions are deleted, and its machines and its EPOS disconnect. ' +
      'A restaurant that npm start has created is refused.',
  ],
  examples: ['sandbox delete throwaway-1f2e3d4c'],
  flags: {},
  operands: { placeholder: 'name', brief: 'The name that `pos sandbox new` has printed.', min: 1, max: 1 },
  run: async (run, { operands: [name = ''] }) => {
    if (!/^[\w-]{1,100}$/.test(name)) throw new WrongUse(`${name}: must be the name of an account`);
    await run.connect().accountServer().delete(name);
    run.report({ deleted: name }, `${name} is deleted`);
    return undefined;
  },
});

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400] as const;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: MINUTE, h: HOUR, d: DAY };

const advanceClock = defineCommand({
  path: 'clock advance',
  details: ['Time of a sandbox never moves back.'],
  examples: ['clock advance 10s', 'clock advance 7d'],
  flags: {},
  operands: { placeholder: 'span', brief: 'A number and s, m, h or d.', min: 1, max: 1 },
  run: async (run, { operands: [span = ''] }) => {
    const by = formatTimespan(span);
    const { client } = run.connect();
    const clock = await run
      .showProgress(`Moving the clock by ${span}`)
      .during(client.sandbox.advanceClock({ by }, { timeoutMs: ADVANCE_MS_MAX }));
    run.report(clock, `It is ${clock.now}`);
    return undefined;
  },
});

/** An advance works everything that becomes due, such as weeks of redeliveries. */
const ADVANCE_MS_MAX = 600_000;

/** `90s` as the API writes timespans: `00:01:30`. */
export function formatTimespan(span: string): string {
  const [, number = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(span) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds === 0) throw new WrongUse(`${span}: must be like 10s, 5m, 2h or 7d`);
  const [days, rest] = [Math.floor(seconds / DAY), seconds % DAY];
  const parts = [Math.floor(rest / HOUR), Math.floor((rest % HOUR) / MINUTE), rest % MINUTE];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return days === 0 ? clock : `${days}.${clock}`;
}

export const SANDBOX_COMMANDS = [tables, listTerminals, machines, unplug, plug, create, reset, remove, advanceClock];
