import { isNativeError } from 'node:util/types';
import { findSqlState } from '@pos/postgres/statements';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';

/** A failure of the surroundings: what it means, and what to do. */
export interface KnownFailure {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

interface FailurePattern extends KnownFailure {
  /** Error codes of Node.js and SQLSTATEs, or their begin. */
  readonly codes: RegExp;
}

const NOT_AVAILABLE = EXIT_CODES.notAvailable;

/** The first pattern that fits counts. */
const PATTERNS: readonly FailurePattern[] = [
  {
    codes: /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|08|57P0[123])/,
    ...{ code: 'connection_failed', exitCode: NOT_AVAILABLE },
    sentence: 'the connection failed: is the server running, and is its address right and reachable from here?',
  },
  {
    codes: /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_OSSL)/,
    ...{ code: 'tls_failed', exitCode: NOT_AVAILABLE },
    sentence: 'no TLS connection: does the certificate name the address, and has a trusted authority issued it?',
  },
  {
    codes: /^28/,
    ...{ code: 'login_refused', exitCode: NOT_AVAILABLE },
    sentence: 'the database refuses the login: check the name and the password of the address in the settings',
  },
  {
    codes: /^42501$/,
    ...{ code: 'permission_missing', exitCode: NOT_AVAILABLE },
    sentence: 'the login may not do this at the database: use service_app, and for migrations the owner',
  },
  {
    codes: /^(ETIMEDOUT|UND_ERR_\w*TIMEOUT|57014|25P03|55P03)/,
    ...{ code: 'timed_out', exitCode: NOT_AVAILABLE },
    sentence: 'the database took too long: it is busy, or something holds a lock; run the command again later',
  },
  {
    codes: /^40/,
    ...{ code: 'conflict', exitCode: NOT_AVAILABLE },
    sentence: 'another change was first, and nothing of this one is stored: run the command again',
  },
  {
    codes: /^(ENOSPC|EDQUOT|53100)$/,
    ...{ code: 'disk_full', exitCode: NOT_AVAILABLE },
    sentence: 'a disk is full, at the database or here: free space, and run the command again',
  },
  {
    codes: /^53/,
    ...{ code: 'resources_exhausted', exitCode: NOT_AVAILABLE },
    sentence: 'the database has no connection or memory left: run the command again later',
  },
  {
    codes: /^(EACCES|EPERM)$/,
    ...{ code: 'file_not_permitted', exitCode: EXIT_CODES.wrongUse },
    sentence: 'a file may not be read or written by this user',
  },
  {
    codes: /^(ENOENT|EISDIR|ENOTDIR)$/,
    ...{ code: 'file_not_found', exitCode: EXIT_CODES.wrongUse },
    sentence: 'a file of the command is not there: check the paths in its flags and settings',
  },
];

const CAUSES_MAX = 5;

/** The failure that an error is known as, by its code or that of one of its causes; null for an unknown one. */
export function findKnownFailure(error: unknown): KnownFailure | null {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && isNativeError(cause); depth += 1) {
    const code = findSqlState(cause) ?? ('code' in cause && typeof cause.code === 'string' ? cause.code : null);
    const found = code === null ? undefined : PATTERNS.find(({ codes }) => codes.test(code));
    if (found !== undefined) return { code: found.code, exitCode: found.exitCode, sentence: found.sentence };
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return null;
}
