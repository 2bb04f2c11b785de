import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

const IMPORTS = `
  import { z } from 'zod';
  import { StartFailure } from '@pos/core/refusals';
  import { logLevelSetting, nodeEnvSetting } from '@pos/service-kit/config';
  import { checkReadiness } from '${new URL('../../dist/http/health.js', import.meta.url).href}';
  import { runProcess } from '@pos/service-kit/lifecycle';
  const schema = z.object({ LOG_LEVEL: logLevelSetting(), NODE_ENV: nodeEnvSetting(), LIMIT: z.coerce.number(),
    LAME_DUCK_MS: z.coerce.number().optional() });
  const keepRunning = setInterval(() => undefined, 1_000);
  const write = (line) => process.stdout.write(line + '\\n');
`;
const SERVES = `async (config) => {
  write('start with ' + config.LIMIT);
  return {
    closeSteps: ['port', 'database'].map((name) => ({ name, stop: () => write('close ' + name) })),
    startedFields: { url: 'here' },
  };
}`;
const NEVER_SERVES = `() => { write('starting'); return new Promise(() => undefined); }`;

interface Start {
  /** The source of the function that starts the app. */
  readonly start: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly hasSecrets?: boolean;
}

let child: ChildProcessByStdio<null, Readable, Readable> | null = null;
afterEach(() => void child?.kill('SIGKILL'));

/** Starts a process, sends it the signal once it has written the text, and returns how it ends. */
async function runToEnd({ start, env = {}, hasSecrets = true }: Start, signalAfter?: [string, NodeJS.Signals]) {
  const script = `${IMPORTS} await runProcess({
    app: 'test', schema, env: process.env, hasSecrets: ${hasSecrets}, start: ${start} });`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_ENV: 'test', LIMIT: '5', ...env },
  });
  child = started;
  let [output, error] = ['', ''];
  started.stderr.on('data', (part: Buffer) => (error += part.toString()));
  started.stdout.on('data', (part: Buffer) => {
    output += part.toString();
    const [text, signal] = signalAfter ?? [];
    if (text !== undefined && output.includes(text)) started.kill(signal);
  });
  const [code, signal] = (await once(started, 'close')) as [number | null, string | null];
  const lines = output.split('\n').filter((line) => line !== '');
  const log = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
  return { end: [code, signal], lines: lines.filter((line) => !line.startsWith('{')), log, error };
}

const REPORTS_READINESS = `async () => {
  const writeReadiness = async () => write('ready: ' + (await checkReadiness([])).isReady);
  await writeReadiness();
  return { closeSteps: [{ name: 'port', stop: writeReadiness }], startedFields: {} };
}`;

test.each([
  ['SIGTERM', ['process.shutdown_announced', 'process.drained']],
  ['SIGINT', ['process.drained']],
] as const)('a process that ends by %s is not ready before its ports close', async (signal, events) => {
  const sent = { start: REPORTS_READINESS, env: { LAME_DUCK_MS: '300' } };
  const { end, lines, log } = await runToEnd(sent, ['process.started', signal]);
  expect([end, lines]).toEqual([
    [0, null],
    ['ready: true', 'ready: false'],
  ]);
  const ended = log.slice(log.findIndex(({ event }) => event === 'process.started') + 1);
  expect(ended.map(({ event }) => event)).toEqual(events);
  if (signal === 'SIGTERM') expect(ended[0]).toMatchObject({ lame_duck_ms: 300 });
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s during the start ends the process with 0', async (signal) => {
  const { end, log, error } = await runToEnd({ start: NEVER_SERVES }, ['starting', signal]);
  expect([end, error]).toEqual([[0, null], '']);
  expect(log).toEqual([expect.objectContaining({ event: 'process.drained', finished: [], unfinished: [] })]);
});

test('a signal closes a started process in the order of its steps, and the process exits with 0', async () => {
  const { end, lines, log } = await runToEnd({ start: SERVES }, ['process.started', 'SIGTERM']);
  expect(end).toEqual([0, null]);
  expect(lines).toEqual(['start with 5', 'close port', 'close database']);
  const events = log.filter(({ event }) => event !== 'process.core_limit');
  expect(events).toEqual([
    expect.objectContaining({ event: 'process.started', url: 'here', app: 'test', release: expect.any(String) }),
    expect.objectContaining({ event: 'process.drained', finished: ['port', 'database'] }),
  ]);
});

test.each([
  [
    'a wrong setting',
    { start: SERVES, env: { LIMIT: 'many' } },
    2,
    /^cannot start with these settings:\n {2}LIMIT: .*\n$/,
  ],
  [
    'a missing resource',
    { start: `() => Promise.reject(new StartFailure('cannot start: no database'))` },
    1,
    /^cannot start: no database\n$/,
  ],
  ['a defect', { start: `() => Promise.reject(new Error('a defect'))` }, 1, /Error: a defect\n {4}at /],
])('a start that fails for %s exits with its code and says why', async (_, start, code, error) => {
  const run = await runToEnd(start);
  expect([run.end, run.log]).toEqual([[code, null], []]);
  expect(run.error).toMatch(error);
});

test('memory is protected before a setting is read, except in an app without secrets', async () => {
  const env = { NODE_ENV: 'production', LIMIT: 'many', NODE_OPTIONS: '--heapsnapshot-near-heap-limit=1' };
  const { end, error } = await runToEnd({ start: SERVES, env });
  expect([end, error]).toEqual([[2, null], expect.stringContaining('NODE_OPTIONS: --heapsnapshot-near-heap-limit')]);
  expect(error).not.toContain('LIMIT:');
  const withoutSecrets = await runToEnd({ start: SERVES, env, hasSecrets: false });
  expect(withoutSecrets.error).toContain('LIMIT:');
  expect(withoutSecrets.error).not.toContain('NODE_OPTIONS:');
});
