import { toggle } from '@pos/command-line';
import { text as readText } from 'node:stream/consumers';
import { MEMBER_ROLES } from '@pos/core/identity';
import {
  changePortalUserStatus,
  createPassword,
  createPortalUser,
  endPortalSessions,
  grantPortalRole,
  type ListedPortalUser,
  listPortalUsers,
  resetPortalPassword,
  resetSecondFactor,
  revokePortalRole,
  unlockPortalUser,
} from '@pos/administration/portal';
import type { PortalUser } from '@pos/store/portal';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, choice, environment, text } from '../command/flags.js';
import { toTable } from '../command/result-lines.js';

const EMAIL = 'ann@corner.example';
const email = () => text('The e-mail address of the user.', 'address');
const passwordStdin = () =>
  toggle(
    'Reads the password from standard input; without it one is made and shown once. Both must be changed at once.',
  );

/** The password to set, and the lines that show it if it was made here. */
async function choosePassword(
  isRead: boolean,
): Promise<{ readonly password: string; readonly lines: readonly string[] }> {
  // A line that a person or `echo` has written ends with a line break, which is no part of the password.
  if (isRead) return { password: (await readText(process.stdin)).replace(/\r?\n$/, ''), lines: [] };
  const password = createPassword();
  return { password, lines: ['the password is shown now and never again:', password] };
}

const create = defineChange({
  path: 'portal-user create',
  details: [
    'The user has no role yet: see `portal-user grant`. An operator works in all accounts without one.',
    'The service stores a hash of the password and cannot show it again. The user must change it at the first sign-in.',
  ],
  examples: [
    `portal-user create --email ${EMAIL} --name "Ann Lee" --reason "new colleague"`,
    `portal-user create --email ops@pos.example --name "Night shift" --operator --reason "new colleague"`,
  ],
  flags: {
    email: email(),
    name: text('The name of the user.', 'name'),
    operator: toggle('The user is an operator of the service.'),
    passwordStdin: passwordStdin(),
  },
  async run(session, { values, change }) {
    const { password, lines } = await choosePassword(values.passwordStdin);
    const request = { email: values.email, name: values.name, password, isOperator: values.operator };
    const user = await createPortalUser(await session.openDatabase(), change, request);
    const data = { ...user, ...(lines.length > 0 && { password }) };
    return { data, lines: [`created ${user.id} for ${user.email}`, ...lines] };
  },
});

const listAll = defineQuery({
  path: 'portal-user list',
  examples: ['portal-user list', 'portal-user list --unused-first', 'portal-user list --json'],
  flags: { unusedFirst: toggle('Lists those first who have not signed in for longest.') },
  async run(session, { values }) {
    const users = await listPortalUsers(await session.openDatabase());
    const rows = values.unusedFirst ? [...users].sort(compareLastSignIns) : users;
    const lines = rows.map((user) => [
      ...[user.email, describeStatus(user), user.lastSignInAt?.toISOString() ?? 'none', user.name, describeRoles(user)],
    ]);
    const head = ['E-MAIL', 'STATUS', 'LAST SIGN-IN', 'NAME', 'ROLES'];
    return { data: rows, lines: toTable(head, lines, 'there are no users') };
  },
});

const disable = defineChange({
  path: 'portal-user disable',
  examples: [`portal-user disable --email ${EMAIL} --reason "has left"`],
  flags: { email: email() },
  async run(session, { values, change }) {
    const database = await session.openDatabase();
    const user = await changePortalUserStatus(database, change, { email: values.email, status: 'Disabled' });
    return { data: { id: user.id, status: user.status }, lines: [`disabled ${user.email}`] };
  },
});

const enable = defineChange({
  path: 'portal-user enable',
  examples: [`portal-user enable --email ${EMAIL} --reason "is back"`],
  flags: { email: email() },
  async run(session, { values, change }) {
    const database = await session.openDatabase();
    const user = await changePortalUserStatus(database, change, { email: values.email, status: 'Active' });
    return { data: { id: user.id, status: user.status }, lines: [`enabled ${user.email}`] };
  },
});

const resetPassword = defineChange({
  path: 'portal-user reset-password',
  examples: [`portal-user reset-password --email ${EMAIL} --reason "has forgotten it"`],
  flags: { email: email(), passwordStdin: passwordStdin() },
  async run(session, { values, change }) {
    const { password, lines } = await choosePassword(values.passwordStdin);
    const user = await resetPortalPassword(await session.openDatabase(), change, { email: values.email, password });
    const data = { id: user.id, ...(lines.length > 0 && { password }) };
    return { data, lines: [`set the password of ${user.email}`, ...lines] };
  },
});

const resetFactors = defineChange({
  path: 'portal-user reset-second-factor',
  details: [
    'Removes passkeys, one-time codes and recovery codes, and ends all sessions. Verify first that it is the user who asks.',
    'Where the role or the account needs a second factor, the user sets one up at the next sign-in.',
  ],
  examples: [`portal-user reset-second-factor --email ${EMAIL} --reason "has lost the phone"`],
  flags: { email: email() },
  async run(session, { values, change }) {
    const user = await resetSecondFactor(await session.openDatabase(), change, values.email);
    return { data: { id: user.id }, lines: [`removed the second factors of ${user.email}`] };
  },
});

const unlock = defineChange({
  path: 'portal-user unlock',
  details: ['Ten wrong passwords lock the sign-in for 30 minutes. Verify first who asks for this.'],
  examples: [`portal-user unlock --email ${EMAIL} --reason "has called, and it was a stranger"`],
  flags: { email: email() },
  async run(session, { values, change }) {
    const user = await unlockPortalUser(await session.openDatabase(), change, values.email);
    return { data: { id: user.id }, lines: [`unlocked ${user.email}`] };
  },
});

const endSessions = defineChange({
  path: 'portal-user end-sessions',
  details: ['The user may sign in again. `portal-user disable` keeps the user out.'],
  examples: [`portal-user end-sessions --email ${EMAIL} --reason "has lost a notebook"`],
  flags: { email: email() },
  async run(session, { values, change }) {
    const user = await endPortalSessions(await session.openDatabase(), change, values.email);
    return { data: { id: user.id }, lines: [`ended all sessions of ${user.email}`] };
  },
});

const grant = defineChange({
  path: 'portal-user grant',
  details: [
    'Roles: `viewer` reads; `support` also takes, captures and returns payments; `developer` also changes webhooks and the EPOS; `admin` may do all that an API key may, and creates keys.',
  ],
  examples: [`portal-user grant --email ${EMAIL} --account acc_... --role support --reason "team of the Oyster Shed"`],
  flags: {
    email: email(),
    account: account(),
    environment: environment(),
    role: choice('What the user may do.', MEMBER_ROLES),
  },
  async run(session, { values, change }) {
    const { account: accountId, environment: environmentName, role } = values;
    const membership = { accountId, environment: environmentName, role };
    const user = await grantPortalRole(await session.openDatabase(), change, { email: values.email, membership });
    return {
      data: { id: user.id, ...membership },
      lines: [`${user.email} is ${role} of ${accountId} in ${environmentName}`],
    };
  },
});

const revoke = defineChange({
  path: 'portal-user revoke',
  examples: [`portal-user revoke --email ${EMAIL} --account acc_... --reason "other team"`],
  flags: { email: email(), account: account(), environment: environment() },
  async run(session, { values, change }) {
    const scope = { accountId: values.account, environment: values.environment };
    const user = await revokePortalRole(await session.openDatabase(), change, { email: values.email, scope });
    return { data: { id: user.id, ...scope }, lines: [`${user.email} has no role in ${scope.accountId} any more`] };
  },
});

function describeRoles({ isOperator, memberships }: PortalUser): string {
  if (isOperator) return 'operator';
  return memberships
    .map(({ accountId, environment: environmentName, role }) => `${role} ${accountId}/${environmentName}`)
    .join(', ');
}

function describeStatus({ status, lockedUntil }: ListedPortalUser): string {
  return lockedUntil === null ? status : `${status}, locked until ${lockedUntil.toISOString()}`;
}

/** Users without a recorded sign-in first. */
function compareLastSignIns(one: ListedPortalUser, other: ListedPortalUser): number {
  return (one.lastSignInAt?.getTime() ?? 0) - (other.lastSignInAt?.getTime() ?? 0);
}

export const PORTAL_USER_COMMANDS: readonly CommandDefinition[] = [
  create,
  listAll,
  disable,
  enable,
  resetPassword,
  resetFactors,
  unlock,
  endSessions,
  grant,
  revoke,
];
