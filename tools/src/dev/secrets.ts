import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** What a developer's machine stores between two starts, so that a second start can read its rows. */
const Secrets = z.object({
  keyPepper: z.string(),
  encryptionKey: z.string(),
  appPassword: z.string(),
  vaultPassword: z.string(),
  /** Master keys of stored card numbers, in the format of card-vault. */
  vaultKeys: z.string(),
  /** Signs the requests of the portal. */
  portalKey: z.string(),
  /** The ids and keys of the seeded accounts are derived from this. */
  worldKey: z.string(),
});
export type Secrets = z.output<typeof Secrets>;

/**
 * Reads the secrets of the folder, or creates them: at random, or from the seed so that the same seed gives the same
 * keys.
 */
export async function loadDevSecrets(file: string, seed: string | undefined): Promise<Secrets> {
  const draw = (name: string): Buffer =>
    seed === undefined ? randomBytes(32) : createHmac('sha256', seed).update(`secret ${name}`).digest();
  if (existsSync(file)) return Secrets.parse(JSON.parse(await readFile(file, 'utf8')));
  return storeSecret(file, {
    keyPepper: draw('pepper').toString('base64url'),
    encryptionKey: draw('encryption').toString('base64'),
    appPassword: draw('app').toString('hex'),
    vaultPassword: draw('vault').toString('hex'),
    vaultKeys: `dev-1:${draw('vault keys').toString('base64')}`,
    portalKey: draw('portal').toString('base64url'),
    worldKey: draw('world').toString('hex'),
  });
}

async function storeSecret(file: string, secrets: Secrets): Promise<Secrets> {
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
