import { escapeControls } from '@pos/core/refusals';
import type { FlowRecord } from '@pos/conformance/records';
import {
  type Exit,
  EXITS,
  formatFlow,
  formatSummary,
  readFailuresFile,
  requireWritable,
  UsageError,
  writeReports,
} from '@pos/conformance/command';
import { listClauseLines } from '@pos/conformance/clause-coverage';
import { buildReport } from '@pos/conformance/reports';
import { readFile } from 'node:fs/promises';
import { EPOS_CATALOGUE } from '../clause-coverage/catalogue.js';
import { readRunRequest, type RunRequest, formatArgument } from './arguments.js';
import type { CommandParts } from './command-parts.js';
import { listFlowLines, HELP } from './listing.js';

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
      return printLines(parts, verb === 'flows' ? listFlowLines() : listClauseLines(EPOS_CATALOGUE));
    }
    // A user who leaves out the verb has written an address, and its password must not reach a CI log.
    throw new UsageError(`${words.map(formatArgument).join(' ')} is not a command of the tester`);
  } catch (error) {
    if (error instanceof UsageError) {
      parts.writeError(`${error.message}\nSee tester --help.\n`);
      return EXITS.usage;
    }
    const reason = error instanceof Error ? error.message : String(error);
    parts.writeError(escapeControls(`The tester cannot continue: ${reason}\n`));
    return EXITS.notStarted;
  }
}

function printLines({ write }: CommandParts, text: string): Exit {
  write(text);
  return EXITS.asExpected;
}

async function runGroups(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const request = readRunRequest(words, parts.password);
  const expected = await readFailuresFile(EPOS_CATALOGUE, request.expectedFailures);
  if (request.chosen.every(({ skip }) => skip !== null)) {
    throw new UsageError(
      `nothing can be played: ${request.chosen[0]?.skip?.reason ?? 'no transport to the EPOS is left'}`,
    );
  }
  await requireFiles(request);
  const onPlayed = (record: FlowRecord): void => {
    if (record.status !== 'SKIPPED') parts.write(formatFlow(EPOS_CATALOGUE, record, expected));
  };
  const startedAtMs = performance.now();
  // Loaded only here: the lists do not need it.
  const { runGroup } = await import('./group-run.js');
  const group = await runGroup(request, { ...parts, onPlayed });
  const report = buildReport(EPOS_CATALOGUE, group, expected);
  await writeReports(EPOS_CATALOGUE, request.reports, report);
  const hasReports = Object.values(request.reports).some((file) => file !== null);
  parts.write(formatSummary(report, { hasReports, tookMs: performance.now() - startedAtMs }));
  if (group.wasStopped === true) {
    parts.writeError('The tester was stopped; what it had played by then is all that is reported.\n');
    return EXITS.notStarted;
  }
  return report.isAsExpected ? EXITS.asExpected : EXITS.deviation;
}

/** Checks before the start that inputs can be read and outputs can be written: flows take minutes. */
async function requireFiles({ caFile, reports }: RunRequest): Promise<void> {
  if (caFile !== null && !(await isReadable(caFile))) throw new UsageError(`--ca-file ${caFile} cannot be read`);
  await requireWritable(reports);
}

async function isReadable(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}
