import { PosAnswerError, PosApiError, PosConnectionError, PosTimeoutError, PosUsageError } from '@pos/sdk';
import { AnswerError, ProblemError } from '@pos/rest-contracts/client';
import { NotReached } from '../failures/not-reached.js';
import type { LoggedAnswer } from '../connection/answer-log.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { WrongUse } from '../failures/wrong-use.js';

/** A failure for a reader and for `--json`. */
export interface DescribedFailure {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly error: Readonly<Record<string, unknown>>;
}

/**
 * Describes any failure, after this last answer of a server. What is no failure of the caller or the service is a defect
 * of the command.
 */
export function describeFailure(error: unknown, last: LoggedAnswer | null = null): DescribedFailure {
  if (error instanceof PosApiError) {
    const { status, reason, fields, traceId, documentation } = error;
    const detail = readDetail(error.body);
    return {
      exitCode: EXIT_CODES.refused,
      lines: [
        `${status} ${reason ?? 'without a reason'}${detail === '' ? '' : `: ${detail}`}`,
        ...Object.entries(fields).map(([name, messages]) => `  ${name}: ${messages.join(' ')}`),
        ...(traceId === null ? [] : [`  trace id ${traceId}`]),
        ...(documentation === null ? [] : [`  see ${documentation}`]),
      ],
      error: { kind: 'refused', status, reason, detail, fields, traceId },
    };
  }
  if (error instanceof ProblemError) {
    const { status, detail } = error.problem;
    const { reason } = error;
    const lines = [`${status} ${reason ?? 'without a reason'}: ${detail}`];
    return { exitCode: EXIT_CODES.refused, lines, error: { kind: 'refused', status, reason, detail } };
  }
  if (error instanceof WrongUse || error instanceof PosUsageError) {
    return describe('wrongUse', error.message);
  }
  if (error instanceof NotReached || (last === null && error instanceof AnswerError)) {
    return describe('notReached', error.message);
  }
  if (error instanceof PosConnectionError || error instanceof PosTimeoutError || isFetchFailure(error)) {
    return describe('notReached', `${error.message}${describeCause(error)}`);
  }
  if (last !== null && isUnreadAnswer(error)) return describe('notReached', describeAnswer(last, error));
  return describe('defect', error instanceof Error ? error.message : String(error));
}

/** Answers are read without a check of every member, so a missing one is an error of the language. */
function isUnreadAnswer(error: unknown): error is Error {
  return [PosAnswerError, AnswerError, TypeError, RangeError].some((kind) => error instanceof kind);
}

function describeAnswer({ request, status, contentType }: LoggedAnswer, error: Error): string {
  const answered = `${request} was answered with ${status} and ${contentType ?? 'no content type'}`;
  const found = error instanceof PosAnswerError || error instanceof AnswerError ? ` (${error.message})` : '';
  const advice = 'Is it the address of the API, and is the service of the same release?';
  return `${answered}, not with the JSON that this release of pos expects there${found}. ${advice}`;
}

function describe(kind: keyof typeof EXIT_CODES, message: string): DescribedFailure {
  return { exitCode: EXIT_CODES[kind], lines: [message], error: { kind, message } };
}

/** `fetch` throws a TypeError with the cause of the socket. */
function isFetchFailure(error: unknown): error is Error {
  return error instanceof TypeError && error.cause instanceof Error;
}

function describeCause(error: Error): string {
  const [cause] = [error.cause, (error.cause as Error | undefined)?.cause].filter(
    (each): each is Error & { readonly code: string } =>
      each instanceof Error && 'code' in each && typeof each.code === 'string',
  );
  return cause === undefined ? '' : ` (${cause.code}); is npm start running?`;
}

function readDetail(body: unknown): string {
  const isProblem = typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
  return isProblem ? String(body.detail) : '';
}
