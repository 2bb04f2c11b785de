import type { Caller } from '@pos/core/accounts';
import type { Requestor } from '@pos/core/tables';
import type { RequestorInfo } from '@pos/grpc-contracts/tables';
import { createTablesFailure } from '@pos/service-kit/grpc';
import { readRequestor } from '../epos-calls/epos-wire.js';

const SESSION_ID_LENGTH_MAX = 100;
const DEVICE_NAME_LENGTH_MAX = 200;
const NAMES_MAX = 200;
const TERMINAL_ID_LENGTH_MAX = 64;

/** Returns the requestor; refuses a request without one, or with an invalid one. */
export function requireRequestor(info: RequestorInfo | undefined): Requestor {
  const requestor = readRequestor(info);
  if (requestor === null) throw createParseRefusal('requestor_info.requestor_type', 'is missing or unknown');
  if (requestor.type === 'cardMachine') {
    if (requestor.terminalId.length > TERMINAL_ID_LENGTH_MAX) {
      throw createParseRefusal('requestor_info.terminal_id', `must be at most ${TERMINAL_ID_LENGTH_MAX} characters`);
    }
    if (requestor.waiterId < 0) throw createParseRefusal('requestor_info.waiter_id', 'must not be negative');
  }
  return requestor;
}

/** The owner of a lease: the terminal id of a card machine, or the key of another device. */
export function getLeaseOwner(requestor: Requestor, { keyId }: Pick<Caller, 'keyId'>): string {
  return requestor.type === 'cardMachine' && requestor.terminalId !== '' ? requestor.terminalId : keyId;
}

export function requireSessionId(sessionId: string): void {
  if (sessionId === '' || sessionId.length > SESSION_ID_LENGTH_MAX) {
    throw createParseRefusal('session_id', `must be 1 to ${SESSION_ID_LENGTH_MAX} characters`);
  }
}

export function requireName(member: string, name: string): void {
  if (name === '' || name.length > DEVICE_NAME_LENGTH_MAX) {
    throw createParseRefusal(member, `must be 1 to ${DEVICE_NAME_LENGTH_MAX} characters`);
  }
}

export function requireNames(member: string, names: readonly string[]): void {
  if (names.length > NAMES_MAX) throw createParseRefusal(member, `must be at most ${NAMES_MAX}`);
  names.forEach((name, index) => {
    requireName(`${member}[${index}]`, name);
  });
}

/** Refuses an invalid request and names its member; the EPOS is not called. */
export function createParseRefusal(member: string, rule: string) {
  return createTablesFailure('ERROR_PARSE_ERROR', `${member}: ${rule}`);
}
