import { hash, verify } from '@node-rs/argon2';

/** Argon2id, which is the library's algorithm unless another is named, with 19 MiB and two passes: about 30 ms. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that no password has. An unknown user costs as much time as a wrong password. */
let unknownUserHash: Promise<string> | null = null;

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Whether the password is the one of the hash. Without a hash it computes one all the same, and returns false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  unknownUserHash ??= hashPassword('the password of no user');
  const isSame = await verify(passwordHash ?? (await unknownUserHash), password);
  return passwordHash !== null && isSame;
}
