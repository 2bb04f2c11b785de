import { readConfig } from '@pos/service-kit/config';
import { exitOnFailure, exitOnSignal, protectMemory } from '@pos/service-kit/lifecycle';
import { connectDatabase } from '@pos/store/startup';
import { buildDatabaseOptions } from '@pos/nest-modules';
import { Config, readDatabaseOptions } from './config/config.js';
import { createLog } from '@pos/service-kit/telemetry';
import { createMasterKeys } from './keys/create-master-keys.js';
import { CardNumberCipher } from './vault/card-number-cipher.js';
import { rotateKeys } from './vault/key-rotation.js';

// An operator runs this with the settings of the app; docs/operate/replace-keys.md describes when.
exitOnSignal();
try {
  // oxlint-disable-next-line pos/banned-syntax -- an entry point like main.ts
  const env = process.env;
  protectMemory(env);
  const config = readConfig(Config, env);
  const database = await connectDatabase(buildDatabaseOptions(config, readDatabaseOptions(config)));
  try {
    const log = createLog({ app: 'card-vault', level: 'warn', write: (line) => process.stderr.write(line) });
    const safe = new CardNumberCipher(createMasterKeys(config, log));
    const count = await rotateKeys(database, safe, (done) => process.stdout.write(`${done} numbers sealed again\n`));
    process.stdout.write(`all numbers are under ${await safe.findCurrentKeyId()}; ${count} were not\n`);
    safe.close();
  } finally {
    await database.close();
  }
} catch (error) {
  exitOnFailure(error);
}
