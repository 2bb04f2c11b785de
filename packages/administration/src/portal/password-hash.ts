import { hash, verify } from '@node-rs/argon2';
import { type AttemptCost, getAttemptCost } from './attempt-cost.js';

const HASH_FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/;

/** Hashes that no password has, by their cost. An unknown user costs as much time as a wrong password. */
const unknownUserHashes = new Map<AttemptCost, Promise<string>>();

/** Argon2id, which is the library's algorithm unless another is named. The result contains its parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, getAttemptCost().hash);
}

/** Whether the password is the one of the hash. Without a hash it computes one all the same, and returns false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isSame = await verify(passwordHash ?? (await getUnknownUserHash()), password);
  return passwordHash !== null && isSame;
}

/** Whether a stored hash took less work than the hash of a new password takes. */
export function isWeakerHash(passwordHash: string): boolean {
  const parameters = HASH_FORM.exec(passwordHash);
  if (parameters === null) return true;
  const { memoryCost, timeCost } = getAttemptCost().hash;
  return Number(parameters[1]) < memoryCost || Number(parameters[2]) < timeCost;
}

function getUnknownUserHash(): Promise<string> {
  const cost = getAttemptCost();
  const known = unknownUserHashes.get(cost);
  if (known !== undefined) return known;
  const made = hashPassword('the password of no user');
  unknownUserHashes.set(cost, made);
  return made;
}
