import { escapeControls } from '@pos/core/refusals';
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
import type { FlowRecord } from '@pos/conformance/records';
import { buildReport } from '@pos/conformance/reports';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AdapterConnection } from '../acquirer/acquirer-connection.js';
import { openTlsChannel } from '../acquirer/tls-channel.js';
import { ACQUIRER_CATALOGUE } from '../clause-coverage/catalogue.js';
import { parseProfile, type Profile } from '../profile/profile.js';
import { SANDBOX_PROFILE } from '../profile/sandbox-profile.js';
import { openSandboxAcquirer } from '../sandbox/sandbox-acquirer.js';
import { readRunRequest, type RunRequest } from './arguments.js';
import { runFlows } from './group-run.js';
import { HELP, listFlowLines } from './listing.js';

/** The input and output of the command. */
export interface CommandParts {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly credential: string | undefined;
  /** When aborted, the active flow ends with its cleanup, and no other starts. */
  readonly stop: AbortSignal;
  readonly now: () => Date;
}

/** The sandbox of this process approves late after a second. */
const SANDBOX_LATE_SECONDS = 2;

/** Runs the command and returns its exit code. */
export async function runCommand(words: readonly string[], parts: CommandParts): Promise<Exit> {
  const [verb, ...rest] = words;
  try {
    if (words.length === 0) {
      parts.writeError(HELP);
      return EXITS.usage;
    }
    if (words.includes('--help') || words.includes('-h') || verb === 'help') return printLines(parts, HELP);
    if (verb === 'run') return await runRequest(readRunRequest(rest, parts.credential), parts);
    const listed = rest.length === 0 ? LISTS.get(verb ?? '') : undefined;
    if (listed !== undefined) return printLines(parts, listed());
    throw new UsageError(`${words.join(' ')} is nothing that the tester can do`);
  } catch (error) {
    if (error instanceof UsageError) {
      parts.writeError(`${error.message}\nSee acquirer-tester --help.\n`);
      return EXITS.usage;
    }
    const reason = error instanceof Error ? error.message : String(error);
    parts.writeError(escapeControls(`The tester cannot continue: ${reason}\n`));
    return EXITS.notStarted;
  }
}

const LISTS = new Map<string, () => string>([
  ['flows', listFlowLines],
  ['clauses', () => listClauseLines(ACQUIRER_CATALOGUE)],
  ['profile', () => `${JSON.stringify(SANDBOX_PROFILE, null, 2)}\n`],
]);

function printLines({ write }: CommandParts, text: string): Exit {
  write(text);
  return EXITS.asExpected;
}

async function runRequest(request: RunRequest, parts: CommandParts): Promise<Exit> {
  const expected = await readFailuresFile(ACQUIRER_CATALOGUE, request.expectedFailures);
  await requireWritable(request.reports);
  const profile = await readProfile(request);
  const startedMs = performance.now();
  const onPlayed = (record: FlowRecord): void => {
    if (record.status !== 'SKIPPED') parts.write(formatFlow(ACQUIRER_CATALOGUE, record, expected));
  };
  const { connection, hasCredential, close } = await openAdapter(request);
  try {
    if (!(await connection.isReachable(request.waitSeconds * 1_000))) {
      throw new Error(`no connection to ${request.acquirer} within ${request.waitSeconds} s`);
    }
    const { acquirer, flows } = request;
    const run = { acquirer, connection, profile, hasCredential, flows, onPlayed };
    const group = await runFlows({ ...run, stop: parts.stop, now: parts.now });
    const report = buildReport(ACQUIRER_CATALOGUE, group, expected);
    await writeReports(ACQUIRER_CATALOGUE, request.reports, report);
    const hasReports = Object.values(request.reports).some((file) => file !== null);
    parts.write(formatSummary(report, { hasReports, tookMs: performance.now() - startedMs }));
    if (group.wasStopped === true) {
      parts.writeError('The tester was stopped; what it had played by then is all that is reported.\n');
      return EXITS.notStarted;
    }
    return report.isAsExpected ? EXITS.asExpected : EXITS.deviation;
  } finally {
    close();
  }
}

interface OpenAdapter {
  readonly connection: AdapterConnection;
  readonly hasCredential: boolean;
  readonly close: () => void;
}

async function openAdapter({ address, credential, tls: paths }: RunRequest): Promise<OpenAdapter> {
  const tls = paths === null ? null : openTlsChannel(paths, address ?? '');
  const sandbox = address === null ? await openSandboxAcquirer({ seed: randomUUID() }) : null;
  const shown = sandbox?.credential ?? credential;
  const connection = new AdapterConnection(sandbox?.address ?? address ?? '', {
    tls: tls?.credentials ?? null,
    credential: shown,
  });
  const close = (): void => {
    connection.close();
    tls?.close();
    sandbox?.close();
  };
  return { connection, hasCredential: shown !== null, close };
}

async function readProfile({ address, profile }: RunRequest): Promise<Profile> {
  if (address === null) return { ...SANDBOX_PROFILE, lateSeconds: SANDBOX_LATE_SECONDS };
  return profile === null ? SANDBOX_PROFILE : parseProfile(profile, await readText('profile', profile));
}

async function readText(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--${name} ${file} cannot be read`);
  });
}
