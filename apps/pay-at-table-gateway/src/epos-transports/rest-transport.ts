import {
  buildRestRequest,
  EPOS_CALL_HEADERS,
  EPOS_DATA,
  type EposCallHeaders,
  type EposError,
  parseEposJson,
  readEposError,
} from '@pos/rest-contracts/epos-data';
import { EPOS_VALUES_MAX, hasMoreValuesThan } from '@pos/rest-contracts/shapes';
import type { EgressClient, EgressOutcome } from '@pos/service-kit/egress';
import type { Database } from '@pos/store/database';
import type { EposIntegration } from '@pos/store/repositories';
import { decodeAnswerText, isHtmlPage } from './answer-text.js';
import { findFenceObjection } from './record-fence.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import type { DataTransport } from './epos-transport.js';
import type { Deadline } from '../epos-calls/deadline.js';
import {
  createBrokenCall,
  createNoAnswer,
  createNotSent,
  createProxyFailure,
  createUnreadableAnswer,
  describePage,
} from '../epos-calls/call-failure.js';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** An EPOS that serves the EPOS Data API over HTTP and is called at its registered address. */
export class RestTransport implements DataTransport {
  readonly kind = 'rest';
  readonly connectionId = '';

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly egress: EgressClient;
      readonly integration: EposIntegration;
      /** Whether an address of a sandbox account may be called without TLS. */
      readonly allowsPlaintext: boolean;
    },
  ) {}

  async call(callRequest: DataCallRequest, callerDeadline: Deadline): Promise<DataOutcome> {
    const deadline = callerDeadline.startCall();
    const { database, egress, integration, allowsPlaintext } = this.parts;
    const objection = await findFenceObjection(callRequest, { database, deadline, integration });
    if (objection !== null) return objection;
    if (deadline.getRemainingMs() === 0) return createNotSent('queueFull', 'the deadline of the caller has passed');
    const { method, path, body } = buildRestRequest(callRequest.name, callRequest.params);
    const abortController = new AbortController();
    const pendingResponse = egress.send({
      method,
      url: `${(integration.url ?? '').replace(/\/+$/, '')}${path}`,
      headers: {
        ...buildHttpHeaders(callRequest.headers),
        accept: 'application/json',
        authorization: this.#buildAuthorization(callRequest.faults?.wrongPassword === true),
        ...(body !== null && { 'content-type': 'application/json' }),
      },
      ...(body !== null && { body: Buffer.from(JSON.stringify(body)) }),
      deadlineMs: Math.ceil(deadline.getRemainingMs()),
      answerBytesMax: ANSWER_BYTES_MAX,
      // An EPOS accepts an event by its status; every other answer is read.
      isBodyOptional: callRequest.name === 'HandleEvent',
      allowsPlaintext: allowsPlaintext && callRequest.scope.environment === 'sandbox',
      signal: abortController.signal,
    });
    if (callRequest.faults?.closeSocket === true) abortController.abort();
    return classifyResponse(await pendingResponse, callRequest.name);
  }

  #buildAuthorization(isWrong: boolean): string {
    const { username, password } = this.parts.integration;
    const text = `${username ?? ''}:${isWrong ? 'wrong' : ''}${password ?? ''}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  }
}

function buildHttpHeaders(headers: EposCallHeaders): Record<string, string> {
  const knownHeaders = Object.entries(EPOS_CALL_HEADERS).flatMap(([member, name]) => {
    const value = headers[member as keyof EposCallHeaders];
    // A header can only contain visible ASCII, so other names of waiters are left out.
    return value === undefined || !/^[ -~]*$/.test(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(knownHeaders);
}

/** The server in front of the EPOS or its framework writes these statuses, with any body. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 499]);

/**
 * The outcome of an answer. After an unreadable answer the EPOS may have executed the call. Calls without an answer body
 * accept any 2xx without an error; events accept any 2xx.
 */
function classifyResponse(answer: EgressOutcome, name: DataCallRequest['name']): DataOutcome {
  if (answer.outcome === 'unanswered') {
    if (!answer.mayHaveArrived) return createNotSent('noConnection', answer.detail);
    return answer.reason === 'timeout' ? createNoAnswer(answer.detail) : createBrokenCall(answer.detail);
  }
  const { httpStatus, isTruncated, contentType } = answer;
  const text = decodeAnswerText(answer.body, contentType);
  const isPage = isHtmlPage(text, contentType);
  if (httpStatus === 401 || httpStatus === 403) {
    const reason = 'the EPOS refuses the registered user name and password';
    return { outcome: 'credentialsRefused', reason: isPage ? describePage(httpStatus) : reason };
  }
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  const success: DataOutcome = { outcome: 'answered', json: null, httpStatus };
  if (isSuccess && name === 'HandleEvent') return success;
  if (name !== 'HandleEvent' && PROXY_STATUSES.has(httpStatus)) return createProxyFailure(httpStatus, { isPage });
  if (isTruncated) return createUnreadableAnswer('the answer is longer than 4 MiB');
  if (hasMoreValuesThan(EPOS_VALUES_MAX, text))
    return createUnreadableAnswer(`the answer holds more than ${EPOS_VALUES_MAX} values`);
  const json = parseEposJson(text);
  const error = json === undefined ? null : readEposError(json);
  if (error !== null) return { outcome: 'refused', error, httpStatus };
  if (isSuccess && EPOS_DATA[name].returns === null) return success;
  if (isSuccess) {
    if (json === undefined && answer.body.length > 0)
      return createUnreadableAnswer(isPage ? describePage(httpStatus) : 'the answer is not JSON');
    return { outcome: 'answered', json: json ?? null, httpStatus };
  }
  const errorType = toErrorType(httpStatus, name);
  if (errorType === null) return createProxyFailure(httpStatus, { isPage });
  const debugMessage = isPage ? { debugMessage: describePage(httpStatus) } : {};
  return { outcome: 'refused', error: { errorType, ...debugMessage }, httpStatus };
}

/** The service returns money after a refusal of these, so only the EPOS itself may refuse them (ADR 0056). */
const MONEY_CALLS: ReadonlySet<DataCallRequest['name']> = new Set([
  'CreateOrder',
  'CancelOrderById',
  'RecordOrderPaymentById',
]);

/** The error of a status without an error body of the EPOS; null: the EPOS may have executed the call. */
function toErrorType(httpStatus: number, name: DataCallRequest['name']): EposError['errorType'] | null {
  // A redirect is not followed, so the outcome is unknown.
  if (httpStatus < 400 || httpStatus >= 500) return 'UnexpectedError';
  if (name === 'HandleEvent') return 'InvalidRequest';
  if (MONEY_CALLS.has(name)) return null;
  if (httpStatus === 404) return 'NotFound';
  return httpStatus === 409 ? 'Conflict' : null;
}
