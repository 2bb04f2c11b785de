import { isNativeError } from 'node:util/types';
import { Refusal, StartFailure } from '@pos/core/refusals';
import { describeTarget, parseConnectionUrl } from '@pos/postgres/connections';
import { toServiceUnavailable } from '@pos/postgres/statements';

/** Turns an error of a connection as the owner into one sentence; other errors are thrown again. */
export function describeStartFailure(url: string): (error: unknown) => never {
  return (error) => {
    const { host } = describeTarget(parseConnectionUrl(url));
    if (toServiceUnavailable(error) instanceof Refusal) {
      throw new StartFailure(`the database server ${host} does not answer`);
    }
    throw isRefusedLogin(error)
      ? new StartFailure(
          `the database server ${host} refuses DATABASE_OWNER_URL: its login, its password, its database or its rights (SQLSTATE ${error.code})`,
        )
      : error;
  };
}

function isRefusedLogin(error: unknown): error is Error & { readonly code: string } {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' && /^(28|3D|42501)/.test(error.code);
}
