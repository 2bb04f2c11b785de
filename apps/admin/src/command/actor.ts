import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { OperatingSystemIdentity } from '@pos/core/administration';

/** Who runs the command: the named actor, or the login of the system. */
export function resolveActor(named: string | undefined): string {
  return named ?? findLogin();
}

/** A container may run under a number that has no login. */
function findLogin(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const LENGTH_MAX = 200;
/** What Linux writes for a process that no login has started. */
const NO_LOGIN = 4_294_967_295;

/**
 * The user of the operating system who runs the command, independent of `--actor`. An example is
 * `root (0), by sudo of ann (1000), login 1000`.
 * Linux keeps the number of the login over `su` and `sudo`, and no process changes it.
 */
export function describeOperatingSystemUser(env: Environment, readLogin: () => string = readLoginNumber): string {
  const own = `${findLogin()} (${process.getuid?.() ?? 'no number'})`;
  const { SUDO_USER: user, SUDO_UID: number } = env;
  const sudo = user === undefined ? '' : `, by sudo of ${user} (${number ?? 'no number'})`;
  const login = Number.parseInt(readLogin(), 10);
  const started = Number.isNaN(login) || login === NO_LOGIN ? '' : `, login ${login}`;
  return `${own}${sudo}${started}`.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, '?').slice(0, LENGTH_MAX);
}

/** The numbers of the same user, to compare two people. A forged `SUDO_UID` only adds a number. */
export function identifyOperatingSystemUser(
  env: Environment,
  readLogin: () => string = readLoginNumber,
): OperatingSystemIdentity {
  const login = Number.parseInt(readLogin(), 10);
  const sudo = Number.parseInt(env['SUDO_UID'] ?? '', 10);
  const own = process.getuid?.();
  return {
    login: Number.isNaN(login) || login === NO_LOGIN ? null : login,
    numbers: [...(own === undefined ? [] : [own]), ...(Number.isNaN(sudo) ? [] : [sudo])],
  };
}

function readLoginNumber(): string {
  try {
    return readFileSync('/proc/self/loginuid', 'utf8');
  } catch {
    return '';
  }
}
