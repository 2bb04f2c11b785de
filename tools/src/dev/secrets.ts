import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** What a developer's machine keeps to itself between two starts, so that a second start finds its rows readable. */
const Secrets = z.object({
  keyPepper: z.string(),
  encryptionKey: z.string(),
  appPassword: z.string(),
  vaultPassword: z.string(),
  /** Ids and key texts of the seeded accounts are drawn from this. */
  worldKey: z.string(),
});
export type Secrets = z.output<typeof Secrets>;

/** Reads the secrets of the folder, or makes them: by chance, or from the seed so that the same seed gives the same keys. */
export async function devSecrets(file: string, seed: string | undefined): Promise<Secrets> {
  if (existsSync(file)) return Secrets.parse(JSON.parse(await readFile(file, 'utf8')));
  const draw = (name: string): Buffer =>
    seed === undefined ? randomBytes(32) : createHmac('sha256', seed).update(`secret ${name}`).digest();
  const secrets: Secrets = {
    keyPepper: draw('pepper').toString('base64url'),
    encryptionKey: draw('encryption').toString('base64'),
    appPassword: draw('app').toString('hex'),
    vaultPassword: draw('vault').toString('hex'),
    worldKey: draw('world').toString('hex'),
  };
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
