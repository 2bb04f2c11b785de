import { userInfo } from 'node:os';

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
