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
/** A folder from an earlier version lacks some of them. */
const KeptSecrets = Secrets.partial({ vaultKeys: true, portalKey: true });
export type Secrets = z.output<typeof Secrets>;

/**
 * Reads the secrets of the folder, or creates them: at random, or from the seed so that the same seed gives the same
 * keys.
 */
export async function loadDevSecrets(file: string, seed: string | undefined): Promise<Secrets> {
  const draw = (name: string): Buffer =>
    seed === undefined ? randomBytes(32) : createHmac('sha256', seed).update(`secret ${name}`).digest();
  if (existsSync(file)) {
    const kept = KeptSecrets.parse(JSON.parse(await readFile(file, 'utf8')));
    const { vaultKeys = getVaultKeys(draw('vault keys')), portalKey = draw('portal').toString('base64url') } = kept;
    const complete = { ...kept, vaultKeys, portalKey };
    const isComplete = kept.vaultKeys !== undefined && kept.portalKey !== undefined;
    return isComplete ? complete : storeSecret(file, complete);
  }
  return storeSecret(file, {
    keyPepper: draw('pepper').toString('base64url'),
    encryptionKey: draw('encryption').toString('base64'),
    appPassword: draw('app').toString('hex'),
    vaultPassword: draw('vault').toString('hex'),
    vaultKeys: getVaultKeys(draw('vault keys')),
    portalKey: draw('portal').toString('base64url'),
    worldKey: draw('world').toString('hex'),
  });
}

function getVaultKeys(key: Buffer): string {
  return `dev-1:${key.toString('base64')}`;
}

async function storeSecret(file: string, secrets: Secrets): Promise<Secrets> {
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
