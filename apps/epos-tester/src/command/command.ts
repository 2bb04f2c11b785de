import { access, constants, mkdir, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ExpectedFailure, evaluateFailures, readExpectedFailures } from '../clause-coverage/expected-failures.js';
import type { FlowRecord, GroupRecord } from '../clause-coverage/group.js';
import { renderHtmlReport } from '../reports/html-report.js';
import { renderJsonReport } from '../reports/json-report.js';
import { renderJunitReport } from '../reports/junit-report.js';
import { formatCounts, type Report, buildReport, formatSeconds } from '../reports/report.js';
import { readRunRequest, type RunRequest, formatArgument, UsageError } from './arguments.js';
import type { CommandParts } from './command-parts.js';
import { listClauseLines, listFlowLines, HELP } from './listing.js';

/** The exit codes of the command. */
export const EXITS = { asExpected: 0, deviation: 1, usage: 2, notStarted: 3 } as const;
type Exit = (typeof EXITS)[keyof typeof EXITS];

/** Runs the command and returns its exit code. */
export async function runCommand(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const [verb, ...rest] = words;
  try {
    if (words.length === 0) {
      parts.writeError(HELP);
      return EXITS.usage;
    }
    if (words.includes('--help') || words.includes('-h') || verb === 'help') return printLines(parts, HELP);
    if (verb === 'run') return await runGroups(rest, parts);
    if ((verb === 'flows' || verb === 'clauses') && rest.length === 0) {
      return printLines(parts, verb === 'flows' ? listFlowLines() : listClauseLines());
    }
    // A user who leaves out the verb has written an address, and its password must not reach a CI log.
    throw new UsageError(`${words.map(formatArgument).join(' ')} is nothing that the tester can do`);
  } catch (error) {
    if (error instanceof UsageError) {
      parts.writeError(`${error.message}\nSee tester --help.\n`);
      return EXITS.usage;
    }
    parts.writeError(`The tester cannot continue: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXITS.notStarted;
  }
}

function printLines({ write }: CommandParts, text: string): Exit {
  write(text);
  return EXITS.asExpected;
}

async function runGroups(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const request = readRunRequest(words, parts.password);
  const expected = await listExpectedFailures(request);
  if (request.chosen.every(({ whyNot }) => whyNot !== null)) {
    throw new UsageError(`nothing can be played: ${request.chosen[0]?.whyNot ?? 'no way to the EPOS is left'}`);
  }
  await requireFiles(request);
  const onPlayed = (record: FlowRecord): void => {
    if (record.status !== 'SKIPPED') parts.write(lineOf(record, expected));
  };
  const startedAtMs = performance.now();
  // Loaded only here: the lists do not need it.
  const { runGroup } = await import('./group-run.js');
  const group = await runGroup(request, { ...parts, onPlayed });
  const report = await writeReports(request, { group, expected });
  parts.write(getSummary(report, { request, tookMs: performance.now() - startedAtMs }));
  if (group.wasStopped === true) {
    parts.writeError('The tester was stopped; what it had played by then is all that is reported.\n');
    return EXITS.notStarted;
  }
  return report.isAsExpected ? EXITS.asExpected : EXITS.deviation;
}

/** Checks before the start that inputs can be read and outputs can be written: flows take minutes. */
async function requireFiles({ caFile, reports }: RunRequest): Promise<void> {
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
      // The only way is to try: everything below /proc looks writable, and nothing is.
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

/**
 * Creates the folder and its parents. Node's own `recursive` never ends where a parent exists and accepts no folders.
 */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) !== null) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeFolder(above);
  await mkdir(folder).catch(async (error: unknown) => {
    // Another process may have created it in the meantime.
    if ((await stat(folder).catch(() => null)) === null) throw error;
  });
}

async function listExpectedFailures({ expectedFailures: file }: RunRequest): Promise<readonly ExpectedFailure[]> {
  if (file === null) return [];
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--expected-failures ${file} cannot be read`);
  });
  const read = readExpectedFailures(text);
  if ('faults' in read) throw new UsageError(`${file}, ${read.faults.join('; ')}`);
  return read.failures;
}

/** One line for each transport with the total time of its flows, and one for all with the time of the command. */
function getSummary(
  report: Report,
  { request, tookMs }: { readonly request: RunRequest; readonly tookMs: number },
): string {
  const ways = report.ways.map(
    (way) => `${way.transport.padEnd(TRANSPORT_WIDTH)} ${formatCounts(way)}; ${formatSeconds(way.tookMs)}\n`,
  );
  const { length } = report.coverage;
  const shown = report.coverage.filter(({ gap }) => gap === null).length;
  const isWhySaid = report.counts.skipped > 0 && Object.values(request.reports).some((file) => file !== null);
  const counts = `${formatCounts(report)}${isWhySaid ? ' (the reports say why)' : ''}`;
  return `${ways.join('')}${counts}; ${shown} of ${length} clauses shown; ${formatSeconds(tookMs)}\n`;
}

/** One line for a played flow, and one for each deviation from what was expected. */
function lineOf(record: FlowRecord, expected: readonly ExpectedFailure[]): string {
  const { transport, flow, verdict, because, tookMs } = evaluateFailures(record, expected);
  const head = `${transport.padEnd(TRANSPORT_WIDTH)} ${flow}: ${verdict} (${formatSeconds(tookMs)})\n`;
  return head + because.map((each) => `    ${each}\n`).join('');
}

const TRANSPORT_WIDTH = 12;

async function writeReports(
  { reports }: RunRequest,
  played: { readonly group: GroupRecord; readonly expected: readonly ExpectedFailure[] },
): Promise<Report> {
  const report = buildReport(played.group, played.expected);
  const wanted = [
    { file: reports.junit, write: renderJunitReport },
    { file: reports.json, write: renderJsonReport },
    { file: reports.html, write: renderHtmlReport },
  ];
  for (const { file, write } of wanted) {
    if (file === null) continue;
    await writeFile(file, write(report));
  }
  return report;
}
