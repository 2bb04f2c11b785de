import { readConfig } from '@pos/service-kit/config';
import { endOnFailure } from '@pos/service-kit/end-on-failure';
import { protectMemory } from '@pos/service-kit/memory-protection';
import { storeSecretsOf } from '@pos/service-kit/store-secrets';
import { connectDatabase } from '@pos/store/await-database';
import type { Database } from '@pos/store/database';
import { resealAll } from '@pos/store/reseal';
import { getPepperOverlap, retirePreviousPepper } from '@pos/store/retire-pepper';
import { Config } from './config.js';

const USAGE = `usage: node dist/replace-keys.js encryption-key | pepper | retire-pepper
  encryption-key  seals everything again under ENCRYPTION_KEY, then retires the previous key
  pepper          says what the previous KEY_PEPPER is still needed for
  retire-pepper   ends the overlap; with --force also before it is over
`;

/** Nobody waits for these statements, which count rows of large relations. */
const DEADLINE_MS = 600_000;

// Run by hand, with the settings of the app; docs/operate/replace-keys.md says when.
const COMMANDS: Readonly<Record<string, (database: Database) => Promise<boolean>>> = {
  'encryption-key': reseal,
  pepper: describePepper,
  'retire-pepper': endPepper,
};

const command = COMMANDS[process.argv[2] ?? ''];
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
try {
  // oxlint-disable-next-line pos/banned-syntax -- an entry point like main.ts
  const env = process.env;
  protectMemory(env);
  const config = readConfig(Config, env);
  const url = config.DATABASE_URL.reveal();
  const secrets = storeSecretsOf(config);
  const database = await connectDatabase({ url, applicationName: 'replace-keys', secrets, deadlineMs: DEADLINE_MS });
  try {
    process.exitCode = (await command(database)) ? 0 : 1;
  } finally {
    await database.close();
  }
} catch (error) {
  endOnFailure(error);
}

async function reseal(of: Database): Promise<boolean> {
  const { resealed, unreadable, isPreviousRetired } = await resealAll(of, (done) => say(`${done} values sealed again`));
  say(`all values are sealed under ENCRYPTION_KEY; ${resealed} were not`);
  for (const row of unreadable) say(`cannot be read: ${row}`);
  if (isPreviousRetired) say('the previous key is retired: remove ENCRYPTION_KEY_ACCEPTED');
  return unreadable.length === 0;
}

async function describePepper(of: Database): Promise<boolean> {
  const { since, unusedApiKeys, idempotencyKeys, isOver } = await getPepperOverlap(of);
  if (since === null) {
    say('no pepper is being replaced');
    return true;
  }
  say(`the previous pepper is accepted since ${since.toISOString()}`);
  say(`${idempotencyKeys} idempotency keys from before are kept`);
  for (const id of unusedApiKeys) say(`not used since: API key ${id}`);
  say(isOver ? 'the overlap is over: run retire-pepper' : 'the overlap is not over');
  return isOver;
}

async function endPepper(of: Database): Promise<boolean> {
  if (process.argv[3] !== '--force' && !(await describePepper(of))) return false;
  if (await retirePreviousPepper(of)) say('the previous pepper is retired: remove KEY_PEPPER_ACCEPTED');
  return true;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
