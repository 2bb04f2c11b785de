import { access, constants, mkdir, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ExpectedFailure, judge, readExpectedFailures } from '../expected-failures.js';
import type { FlowRecord, GroupRecord } from '../group.js';
import { htmlReport } from '../reports/html-report.js';
import { jsonReport } from '../reports/json-report.js';
import { junitReport } from '../reports/junit-report.js';
import { countsSaid, type Report, reportOf, secondsSaid } from '../reports/report.js';
import { readRunWish, type RunWish, shown, UsageError } from './arguments.js';
import type { CommandParts } from './command-parts.js';
import { clausesListed, flowsListed, HELP } from './listing.js';

/** How the command ends: the codes that a shell sees. */
export const EXITS = { asExpected: 0, deviation: 1, usage: 2, notStarted: 3 } as const;
type Exit = (typeof EXITS)[keyof typeof EXITS];

/** Does what the words ask for, and says how it ended. */
export async function runCommand(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const [verb, ...rest] = words;
  try {
    if (words.length === 0) {
      parts.writeError(HELP);
      return EXITS.usage;
    }
    if (words.includes('--help') || words.includes('-h') || verb === 'help') return told(parts, HELP);
    if (verb === 'run') return await run(rest, parts);
    if ((verb === 'flows' || verb === 'clauses') && rest.length === 0) {
      return told(parts, verb === 'flows' ? flowsListed() : clausesListed());
    }
    // Whoever forgets the verb has written an address, and its password is not for the log of a CI.
    throw new UsageError(`${words.map(shown).join(' ')} is nothing that the tester can do`);
  } catch (error) {
    if (error instanceof UsageError) {
      parts.writeError(`${error.message}\nSee tester --help.\n`);
      return EXITS.usage;
    }
    parts.writeError(`The tester could not go on: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXITS.notStarted;
  }
}

function told({ write }: CommandParts, text: string): Exit {
  write(text);
  return EXITS.asExpected;
}

async function run(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const wish = readRunWish(words, parts.password);
  const expected = await expectedFailuresOf(wish);
  if (wish.chosen.every(({ whyNot }) => whyNot !== null)) {
    throw new UsageError(`nothing can be played: ${wish.chosen[0]?.whyNot ?? 'no way to the EPOS is left'}`);
  }
  await requireFiles(wish);
  const onPlayed = (record: FlowRecord): void => {
    if (record.status !== 'SKIPPED') parts.write(lineOf(record, expected));
  };
  const startedAtMs = performance.now();
  // Loaded only now: the lists need nothing of it.
  const { playGroup } = await import('./group-run.js');
  const group = await playGroup(wish, { ...parts, onPlayed });
  const report = await writeReports(wish, { group, expected });
  parts.write(summaryOf(report, { wish, tookMs: performance.now() - startedAtMs }));
  if (group.wasStopped === true) {
    parts.writeError('The tester was stopped; what it had played by then is all that is reported.\n');
    return EXITS.notStarted;
  }
  return report.isAsExpected ? EXITS.asExpected : EXITS.deviation;
}

/** What is read later can be read, and what is written at the end can be written: flows take minutes. */
async function requireFiles({ caFile, reports }: RunWish): Promise<void> {
  if (caFile !== null && !(await isReadable(caFile))) throw new UsageError(`--ca-file ${caFile} cannot be read`);
  for (const [name, file] of Object.entries(reports)) {
    if (file !== null && !(await isWritable(file))) throw new UsageError(`--${name} ${file} cannot be written`);
  }
}

async function isReadable(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

async function isWritable(file: string): Promise<boolean> {
  try {
    await makeFolder(path.dirname(path.resolve(file)));
    const there = await stat(file).catch(() => null);
    if (there === null) {
      // Only trying tells: below /proc everything looks writable, and nothing is.
      await (await open(file, 'wx')).close();
      await unlink(file);
      return true;
    }
    await access(file, constants.W_OK);
    return !there.isDirectory();
  } catch {
    return false;
  }
}

/** The folder and those above it. Node's own `recursive` tries for ever where one is there and takes no folders. */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) !== null) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeFolder(above);
  await mkdir(folder).catch(async (error: unknown) => {
    // Another run may have made it in the same moment.
    if ((await stat(folder).catch(() => null)) === null) throw error;
  });
}

async function expectedFailuresOf({ expectedFailures: file }: RunWish): Promise<readonly ExpectedFailure[]> {
  if (file === null) return [];
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--expected-failures ${file} cannot be read`);
  });
  const read = readExpectedFailures(text);
  if ('faults' in read) throw new UsageError(`${file}, ${read.faults.join('; ')}`);
  return read.failures;
}

/** A line for each way, with what its flows took together, and one for everything, with what the command took. */
function summaryOf(report: Report, { wish, tookMs }: { readonly wish: RunWish; readonly tookMs: number }): string {
  const ways = report.ways.map(
    (way) => `${way.transport.padEnd(TRANSPORT_WIDTH)} ${countsSaid(way)}; ${secondsSaid(way.tookMs)}\n`,
  );
  const { length } = report.coverage;
  const shown = report.coverage.filter(({ gap }) => gap === null).length;
  const isWhySaid = report.counts.skipped > 0 && Object.values(wish.reports).some((file) => file !== null);
  const counts = `${countsSaid(report)}${isWhySaid ? ' (the reports say why)' : ''}`;
  return `${ways.join('')}${counts}; ${shown} of ${length} clauses shown; ${secondsSaid(tookMs)}\n`;
}

/** One line for a flow that was played, and one for each reason why it is not as it should be. */
function lineOf(record: FlowRecord, expected: readonly ExpectedFailure[]): string {
  const { transport, flow, verdict, because, tookMs } = judge(record, expected);
  const head = `${transport.padEnd(TRANSPORT_WIDTH)} ${flow}: ${verdict} (${secondsSaid(tookMs)})\n`;
  return head + because.map((each) => `    ${each}\n`).join('');
}

const TRANSPORT_WIDTH = 12;

async function writeReports(
  { reports }: RunWish,
  played: { readonly group: GroupRecord; readonly expected: readonly ExpectedFailure[] },
): Promise<Report> {
  const report = reportOf(played.group, played.expected);
  const wanted = [
    { file: reports.junit, write: junitReport },
    { file: reports.json, write: jsonReport },
    { file: reports.html, write: htmlReport },
  ];
  for (const { file, write } of wanted) {
    if (file === null) continue;
    await writeFile(file, write(report));
  }
  return report;
}
