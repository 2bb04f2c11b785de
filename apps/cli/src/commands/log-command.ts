import { toggle } from '@pos/command-line';
import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandRun, defineCommand } from '../command/command-definition.js';
import { text, wholeNumber } from '../command/flags.js';
import { NotReached } from '../failures/not-reached.js';
import { WrongUse } from '../failures/wrong-use.js';

const POLL_MS = 250;
const SHOWN = 20;
/** What is read of the end of a file at most. */
const TAIL_BYTES = 256 * 1024;

/** `pos logs`. */
export const logCommand = defineCommand({
  path: 'logs',
  details: ['Each line is a JSON object with `trace_id`, which problems and error messages show too.'],
  examples: [
    'logs api --lines 50',
    'logs api --contains 00-b79eced7bee02d371cea4f14ff353cb3-4f01b24adcd9e96e-01',
    'logs webhook-worker --follow',
  ],
  flags: {
    lines: wholeNumber(`How many at the beginning; ${SHOWN} when left out.`, { min: 0, max: 10_000 }),
    contains: text('Only lines with this text, such as a trace id.', 'text'),
    follow: toggle('Continues until it is stopped.'),
  },
  operands: { placeholder: 'app', brief: 'The name of an app.', min: 1, max: 1 },
  run: async (run, { values, operands: [app = ''] }) => {
    const { dev } = run.connect();
    if (dev === null) throw new WrongUse('the logs are those of npm start; unset POS_API_URL and POS_API_KEY');
    const folder = path.join(dev.dataDir, 'logs');
    if (!existsSync(folder)) throw new NotReached(`${folder} does not exist`);
    const apps = (await readdir(folder)).filter((name) => name.endsWith('.log')).map((name) => name.slice(0, -4));
    if (!apps.includes(app)) throw new WrongUse(`${app}: must be one of ${apps.sort().join(', ')}`);
    const file = path.join(folder, `${app}.log`);
    const contained = toTraceId(values.contains ?? '');
    const wanted = (line: string): boolean => line !== '' && line.includes(contained);
    const { lines, end } = await readTail(file);
    const count = values.lines ?? SHOWN;
    for (const line of lines.filter(wanted).slice(count === 0 ? lines.length : -count)) reportLine(run, line);
    if (values.follow) await follow(run, { file, from: end, wanted });
    return undefined;
  },
});

/** Error messages show the header `traceparent`; logs have the trace id inside it. */
function toTraceId(text: string): string {
  return /^00-([0-9a-f]{32})-/.exec(text)?.[1] ?? text;
}

/** With `--json` each line is its own object already. */
function reportLine(run: CommandRun, line: string): void {
  let parsed: unknown = line;
  try {
    parsed = JSON.parse(line);
  } catch {
    // A line of a crash is plain text.
  }
  run.report(parsed, line);
}

async function readTail(file: string): Promise<{ readonly lines: readonly string[]; readonly end: number }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
    // The first line of a part of a file is a part too.
    return { lines: from === 0 ? lines : lines.slice(1), end: from + bytesRead };
  } finally {
    await handle.close();
  }
}

async function follow(
  run: CommandRun,
  { file, from, wanted }: { readonly file: string; readonly from: number; readonly wanted: (line: string) => boolean },
): Promise<void> {
  const handle = await open(file);
  let at = from;
  let rest = '';
  try {
    while (!run.stop.aborted) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, at);
      at += bytesRead;
      const lines = (rest + buffer.subarray(0, bytesRead).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter(wanted)) reportLine(run, line);
      if (bytesRead === 0) await pause(POLL_MS, undefined, { signal: run.stop }).catch(() => undefined);
    }
  } finally {
    await handle.close();
  }
}
