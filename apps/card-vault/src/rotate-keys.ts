import { endOnWrongSetting, readConfig } from '@pos/service-kit/config';
import { openDatabase } from '@pos/store/database';
import { safeOf, vaultDatabaseOptions } from './boot.js';
import { Config } from './config.js';
import { rotateKeys } from './vault/rotation.js';

// Run by hand, with the settings of the app; docs/operations.md says when.
const config = settings();
const database = await openDatabase(vaultDatabaseOptions(config)).catch(endOnWrongSetting);
try {
  const safe = safeOf(config);
  const count = await rotateKeys(database, safe, (done) => process.stdout.write(`${done} numbers sealed anew\n`));
  process.stdout.write(`all numbers are under ${safe.currentKeyId}; ${count} were not\n`);
} finally {
  await database.close();
}

function settings(): Config {
  try {
    // oxlint-disable-next-line pos/banned-syntax -- an entry point like main.ts
    return readConfig(Config, process.env);
  } catch (error) {
    endOnWrongSetting(error);
  }
}
