import { isNativeError } from 'node:util/types';
import { Refusal, StartFailure, WrongSetting } from '@pos/core/refusals';

/** The errors of node and grpc-js for a port that cannot be opened. */
const PORT_ERROR = /listen (EADDRINUSE|EADDRNOTAVAIL|EACCES)\b[^\]\n]*/;
/** The error for a listen host that does not resolve. For a host to call, the error begins with a status. */
const HOST_ERROR = /getaddrinfo (ENOTFOUND|EAI_AGAIN)\b[^\]\n]*|^Name resolution failed for target [^\n]*/;

/**
 * Ends an app that cannot start, or a command that cannot finish, with one message on standard error. Exit code 2 means
 * that a setting is wrong, 1 that an external resource is missing: a port, or the database of a command. Throws any
 * other error again.
 */
export function exitOnFailure(error: unknown): never {
  const code = error instanceof WrongSetting ? 2 : 1;
  const message = error instanceof WrongSetting ? error.message : describeExternalFailure(error);
  if (message === null) throw error;
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** The sentence for an error with an external cause, or null for a defect. */
export function describeExternalFailure(error: unknown): string | null {
  if (error instanceof StartFailure) return error.message;
  if (error instanceof Refusal && error.code === 'service_unavailable') return `cannot continue: ${error.message}`;
  const text = isNativeError(error) ? error.message : '';
  const [port] = PORT_ERROR.exec(text) ?? HOST_ERROR.exec(text) ?? [];
  return port === undefined ? null : `cannot start: the port cannot be opened (${port.trim()})`;
}
