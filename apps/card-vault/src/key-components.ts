import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig } from '@pos/service-kit/config';
import { exitOnFailure, exitOnSignal, protectMemory } from '@pos/service-kit/lifecycle';
import { z } from 'zod';
import { masterKeySettings } from './config/key-settings.js';
import { readVaultKeys } from './config/vault-keys.js';
import { readSettingKeys } from './keys/create-master-keys.js';
import { computeKeyCheckValue } from './keys/key-check-value.js';
import { KEY_BYTES } from './keys/sealed-bytes.js';

const Components = z.object(masterKeySettings());
type ComponentSettings = z.output<typeof Components>;

const USAGE = 'key-components: run it with "create ID" or "check"';

/** Prints a new component as the settings have it. Its check value goes to the other output, for the custodian's record. */
function createComponent(id: string): void {
  const component = randomBytes(KEY_BYTES);
  const line = `${id}:${component.toString('base64')}`;
  if (readVaultKeys(line) === null) throw new ConfigError(['ID: is not 1 to 40 letters, digits or ._-']);
  process.stdout.write(`${line}\n`);
  process.stderr.write(`check value of this component of ${id}: ${computeKeyCheckValue(component)}\n`);
}

/** Prints the check values of the components in the settings, and of the keys that they make. */
function printCheckValues({ VAULT_KEYS, VAULT_KEYS_SECOND, VAULT_KEYS_THIRD, ...settings }: ComponentSettings): void {
  const given = { VAULT_KEYS, VAULT_KEYS_SECOND, VAULT_KEYS_THIRD };
  for (const [name, list] of Object.entries(given)) {
    for (const [id, component] of readVaultKeys(list?.reveal() ?? '')?.keys ?? []) {
      process.stdout.write(`${name} ${id}: ${computeKeyCheckValue(component)}\n`);
    }
  }
  for (const [id, key] of readSettingKeys({ ...settings, ...given })?.keys ?? []) {
    process.stdout.write(`key ${id}: ${computeKeyCheckValue(key)}\n`);
  }
}

// Custodians run this; docs/operate/replace-keys.md describes the ceremony.
exitOnSignal();
try {
  // oxlint-disable-next-line pos/banned-syntax -- an entry point like main.ts
  const env = process.env;
  protectMemory(env);
  const [command, id] = process.argv.slice(2);
  if (command === 'create' && id !== undefined) createComponent(id);
  else if (command === 'check') printCheckValues(readConfig(Components, env));
  else throw new ConfigError([USAGE]);
} catch (error) {
  exitOnFailure(error);
}
