import type { CommandInput, Flags, OutputStreams } from '@pos/command-line';
import { type AuditedChange, type OperatingSystemIdentity, SecondOperatorNeeded } from '@pos/core/administration';
import { requestSecondOperator } from '@pos/administration/four-eyes';
import { Refusal } from '@pos/core/refusals';
import { describeOperatingSystemUser, resolveActor } from './actor.js';
import { AdminSession, type DatabaseConnector, type SettingsReader } from './admin-session.js';
import type { CommandDefinition } from './command-definition.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { describeFailure, formatDetails } from './failure-messages.js';

/** The streams and the environment of a run. */
export interface CommandProcess extends OutputStreams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readSettings: SettingsReader;
  readonly operatingSystem: OperatingSystemIdentity;
  /** Connections of its own when left out. */
  readonly connector?: DatabaseConnector;
}

/** Runs a command whose words were accepted, and writes its result or failure. */
export async function executeCommand(
  definition: CommandDefinition,
  { values, operands, flags }: CommandInput & { readonly flags: Flags },
  { env, readSettings, operatingSystem, writeOutput, writeError, connector }: CommandProcess,
): Promise<ExitCode> {
  const { json, debug, ...own } = values;
  const { actor, reason } = values;
  const session = new AdminSession(env, readSettings, (line) => writeError(`${line}\n`), connector);
  const change = {
    actor: resolveActor(definition.isChange && typeof actor === 'string' ? actor : undefined),
    reason: definition.isChange && typeof reason === 'string' ? reason : '',
    operatingSystemUser: describeOperatingSystemUser(env),
    operatingSystem,
  };
  try {
    const result = await runOrRequest(session, change, () =>
      definition.run(session, { values: own, operands, change }),
    );
    writeOutput(json === true ? `${JSON.stringify(result.data, null, 2)}\n` : toText(result.lines));
    return result.hasFindings === true ? EXIT_CODES.notDone : EXIT_CODES.done;
  } catch (error) {
    const { exitCode, lines, error: described, errorId = 'details' } = describeFailure(error, flags);
    const command = definition.path.join(' ');
    const text = lines.map((line) => `${command}: ${line}\n`).join('');
    const details = debug === true ? formatDetails(error) : null;
    if (json === true)
      writeError(`${JSON.stringify({ error: described, ...(details !== null && { details }) }, null, 2)}\n`);
    else writeError(details === null ? text : `${text}${errorId}: ${details}\n`);
    return exitCode;
  } finally {
    await session.close();
  }
}

/** A change that needs a second operator becomes a request: the same command does it once it is approved. */
async function runOrRequest<T>(session: AdminSession, change: AuditedChange, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SecondOperatorNeeded)) throw error;
    const { id, state, expiresAt } = await requestSecondOperator(await session.openDatabase(), change, error.guarded);
    const next = `run the same command again by ${expiresAt.toISOString()}, once it is approved`;
    throw new Refusal('second_person_needed', `a second operator must approve request ${id} (${state}): ${next}`);
  }
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
