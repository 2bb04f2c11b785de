import { readConfig, readStoreSecrets, requiresVerifiedServers } from '@pos/service-kit/config';
import { exitOnFailure, exitOnSignal, protectMemory } from '@pos/service-kit/lifecycle';
import { connectDatabase } from '@pos/store/startup';
import type { Database } from '@pos/store/database';
import { getPepperOverlap, resealAll, retirePreviousPepper } from '@pos/store/key-rotation';
import { Config } from './config/config.js';

const USAGE = `usage: node dist/replace-keys.js encryption-key | pepper | retire-pepper
  encryption-key  seals everything again under ENCRYPTION_KEY, then retires the previous key
  pepper          says what the previous KEY_PEPPER is still needed for
  retire-pepper   ends the overlap; with --force also before it is over
`;

/** Long, because the statements count rows of large relations and no caller waits for them. */
const DEADLINE_MS = 600_000;

// An operator runs this with the settings of the app; docs/operate/replace-keys.md describes when.
const COMMANDS: ReadonlyMap<string, (database: Database) => Promise<boolean>> = new Map(
  Object.entries({
    'encryption-key': resealValues,
    pepper: describePepper,
    'retire-pepper': retirePepper,
  }),
);

const command = COMMANDS.get(process.argv[2] ?? '');
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
exitOnSignal();
try {
  // oxlint-disable-next-line pos/banned-syntax -- an entry point like main.ts
  const env = process.env;
  protectMemory(env);
  const config = readConfig(Config, env);
  const url = config.DATABASE_URL.reveal();
  const secrets = readStoreSecrets(config);
  const database = await connectDatabase({
    ...{ url, applicationName: 'replace-keys', secrets, deadlineMs: DEADLINE_MS },
    requiresVerifiedServers: requiresVerifiedServers(config),
  });
  try {
    process.exitCode = (await command(database)) ? 0 : 1;
  } finally {
    await database.close();
  }
} catch (error) {
  exitOnFailure(error);
}

async function resealValues(targetDatabase: Database): Promise<boolean> {
  const { resealed, unreadable, isPreviousRetired } = await resealAll(targetDatabase, (done) =>
    printLine(`${done} values sealed again`),
  );
  printLine(`all values are sealed under ENCRYPTION_KEY; ${resealed} were not`);
  for (const row of unreadable) printLine(`cannot be read: ${row}`);
  if (isPreviousRetired) printLine('the previous key is retired: remove ENCRYPTION_KEY_ACCEPTED');
  return unreadable.length === 0;
}

async function describePepper(targetDatabase: Database): Promise<boolean> {
  const { since, unusedApiKeys, idempotencyKeys, isOver } = await getPepperOverlap(targetDatabase);
  if (since === null) {
    printLine('no pepper is being replaced');
    return true;
  }
  printLine(`the previous pepper is accepted since ${since.toISOString()}`);
  printLine(`${idempotencyKeys} idempotency keys from before are kept`);
  for (const id of unusedApiKeys) printLine(`not used since: API key ${id}`);
  printLine(isOver ? 'the overlap is over: run retire-pepper' : 'the overlap is not over');
  return isOver;
}

async function retirePepper(targetDatabase: Database): Promise<boolean> {
  if (process.argv[3] !== '--force' && !(await describePepper(targetDatabase))) return false;
  if (await retirePreviousPepper(targetDatabase))
    printLine('the previous pepper is retired: remove KEY_PEPPER_ACCEPTED');
  return true;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
