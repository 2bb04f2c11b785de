import type { Database } from '@pos/store/database';
import { countActiveOperators } from '@pos/store/portal';
import { isSecondOperatorRequired } from '@pos/store/four-eyes';
import { readPartnerRegistry } from '@pos/store/repositories';
import type { Config } from '../config/config.js';
import { type DoctorFinding, note, ok } from './finding.js';

/** What the database does not enforce and could: registered partners, and in production a second operator. */
export async function checkRules(database: Database, { NODE_ENV }: Pick<Config, 'NODE_ENV'>): Promise<DoctorFinding[]> {
  const { isEnforced } = await database.readSystem(readPartnerRegistry);
  const partners = isEnforced
    ? ok('partners', 'requests in production name registered partners only')
    : note(
        'partners',
        'requests in production may name partners that are not registered',
        'register those that you have, and run partner enforce: docs/operate/partners.md',
      );
  return NODE_ENV === 'production' ? [partners, ...(await checkSecondOperator(database))] : [partners];
}

/** One operator alone cannot have a second one. */
async function checkSecondOperator(database: Database): Promise<DoctorFinding[]> {
  if (await database.readSystem(isSecondOperatorRequired)) {
    return [ok('second operator', 'production keys, operators and roles in production need one')];
  }
  const operators = await database.readSystem(countActiveOperators);
  if (operators < 2) return [];
  const message = `each of ${operators} operators alone may create production keys, operators and roles in production`;
  return [note('second operator', message, 'run approval require: docs/operate/portal-users.md')];
}

/** The settings of the sign-in to the portal that are weaker in production than they can be. Absent ones are not checked. */
export function checkSignIn({
  NODE_ENV,
  SECOND_FACTOR,
  OIDC_ISSUER,
  PASSWORD_SIGN_IN,
}: Pick<Config, 'NODE_ENV' | 'SECOND_FACTOR' | 'OIDC_ISSUER' | 'PASSWORD_SIGN_IN'>): DoctorFinding[] {
  if (NODE_ENV !== 'production') return [];
  const findings: DoctorFinding[] = [];
  if (SECOND_FACTOR === 'optional') {
    const message =
      'SECOND_FACTOR is optional: operators, and users who return money, may work without a second factor';
    findings.push(note('portal', message, 'remove the setting at the portal'));
  }
  if (OIDC_ISSUER !== undefined && PASSWORD_SIGN_IN !== 'off') {
    const message = `users sign in at ${OIDC_ISSUER}, and passwords of the portal open it, too`;
    findings.push(note('portal', message, 'set PASSWORD_SIGN_IN to off when every user has a second factor'));
  }
  return findings;
}
