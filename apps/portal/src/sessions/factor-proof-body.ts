import { createViolation } from '@pos/core/refusals';
import type { FactorProof, ReauthenticationProof } from '@pos/administration/portal';
import type { completeSignIn, reauthenticate } from '@pos/rest-contracts/portal';
import type { BodyOf } from '@pos/rest-contracts/operation';

/** The factor of a body. Refuses a body with none or several of its members. */
export function readFactorProof({ passkey, code, recoveryCode }: BodyOf<typeof completeSignIn>): FactorProof {
  return requireOne<FactorProof>('code', [
    passkey === undefined ? null : { kind: 'passkey', response: passkey },
    code === undefined ? null : { kind: 'code', code },
    recoveryCode === undefined ? null : { kind: 'recoveryCode', code: recoveryCode },
  ]);
}

/** What is entered again. Refuses a body with none or several of its members. */
export function readReauthentication({ password, passkey, code }: BodyOf<typeof reauthenticate>) {
  return requireOne<ReauthenticationProof>('password', [
    password === undefined ? null : { kind: 'password', password },
    passkey === undefined ? null : { kind: 'passkey', response: passkey },
    code === undefined ? null : { kind: 'code', code },
  ]);
}

function requireOne<T>(member: string, proofs: readonly (T | null)[]): T {
  const [only, ...others] = proofs.filter((each) => each !== null);
  if (only !== undefined && others.length === 0) return only;
  throw createViolation('validation_failed', member, 'must be given, or one of the other members, and no second one');
}
