import type { UnreadableMember } from './unreadable-members.js';

/** Why a call was not sent. */
export type NotSentCause = 'noConnection' | 'fencedOff' | 'queueFull' | 'noRoute' | 'draining';

/**
 * Outcomes without an answer. `notSent` proves that the EPOS has not received the call. `credentialsRefused`: the EPOS
 * refused the credentials, so it has executed nothing. After `noAnswer` it may have executed the call.
 */
export type CallFailure =
  | { readonly outcome: 'credentialsRefused'; readonly reason: string }
  | { readonly outcome: 'notSent'; readonly cause: NotSentCause; readonly reason: string }
  | NoAnswerFailure;

/**
 * `isUnreadable`: there was an answer, and it does not show what the EPOS has executed. `isEarly`: the call has failed
 * before its deadline, for example because the connection broke.
 */
export interface NoAnswerFailure {
  readonly outcome: 'noAnswer';
  readonly reason: string;
  readonly isUnreadable?: true;
  readonly isEarly?: true;
  /** The members that make it unreadable, where they are known. */
  readonly unreadable?: readonly UnreadableMember[];
}

/** The EPOS has not received the call. */
export function createNotSent(cause: NotSentCause, reason: string): CallFailure {
  return { outcome: 'notSent', cause, reason };
}

/** No answer came before the deadline. */
export function createNoAnswer(reason: string): CallFailure {
  return { outcome: 'noAnswer', reason };
}

/** The call ended before its deadline, and the EPOS may have executed it. */
export function createBrokenCall(reason: string): NoAnswerFailure {
  return { outcome: 'noAnswer', reason, isEarly: true };
}

/** The members that tell callers whether a call has failed before its deadline. */
export function describeEarlyEnd(outcome: CallFailure): { readonly isEarly?: true } {
  const isEarly = outcome.outcome === 'noAnswer' && (outcome.isEarly === true || outcome.isUnreadable === true);
  return isEarly ? { isEarly } : {};
}

/** The EPOS has sent an answer that cannot be read. */
export function createUnreadableAnswer(reason: string, unreadable?: readonly UnreadableMember[]): CallFailure {
  return { outcome: 'noAnswer', reason, isUnreadable: true, ...(unreadable !== undefined && { unreadable }) };
}

const TOO_MANY_REQUESTS = 429;

/**
 * The outcome of a call that an HTTP server in front of the EPOS answered. 429 means that the call was not forwarded. After
 * any other status the EPOS may have received it.
 */
export function createProxyFailure(httpStatus: number, { isPage = false } = {}): CallFailure {
  if (httpStatus === TOO_MANY_REQUESTS)
    return createNotSent('queueFull', `HTTP status ${httpStatus}: too many requests for this EPOS`);
  return createBrokenCall(isPage ? describePage(httpStatus) : `HTTP status ${httpStatus}, and no answer of the EPOS`);
}

/** Names an HTML page in place of an answer. EPOSes send none, so another server in front of the EPOS did. */
export function describePage(httpStatus: number): string {
  return `HTTP status ${httpStatus} with an HTML page: a proxy in front of the EPOS has answered`;
}
