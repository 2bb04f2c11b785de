/** The result of one attempt to pay, as the vault answers it. */
export interface PaymentResult {
  /** One of `RESULT_CODES`. */
  readonly statusCode: number;
  /** The outcome in a word, or a sentence about the failure. Not for payers. */
  readonly message: string;
  /** Empty before an approval. */
  readonly authCode: string;
  /** Empty where there is no transaction. */
  readonly transactionId: string;
}

/** The page of the issuer that a payer must visit, with result 3. */
export interface Challenge {
  readonly stepUpUrl: string;
  readonly paReq: string;
  readonly md: string;
}

/** The result of an attempt, the challenge that it needs, and the names of the fields that were refused. */
export interface AttemptOutcome {
  readonly result: PaymentResult;
  readonly challenge: Challenge | null;
  readonly fields: readonly string[];
}

/** Sent in place of the issuer's answer when the payer closed its page. No issuer sends it, so the try is declined. */
export const CHALLENGE_CLOSED = 'closed-by-payer';

export function createResult(statusCode: number, message = ''): PaymentResult {
  return { statusCode, message, authCode: '', transactionId: '' };
}

/** Reads an answer of the vault or a message of its frame: the known members with their types. Null for anything else. */
export function readOutcome(answer: unknown, fields: unknown = []): AttemptOutcome | null {
  if (!isRecord(answer)) return null;
  const { statusCode, message, authCode, transactionId, errors } = answer;
  if (typeof statusCode !== 'number' || !Number.isSafeInteger(statusCode)) return null;
  const result = {
    ...{ statusCode, message: readText(message) },
    ...{ authCode: readText(authCode), transactionId: readText(transactionId) },
  };
  const named = isRecord(errors) ? Object.keys(errors) : [];
  const listed = Array.isArray(fields) ? fields.filter((each) => typeof each === 'string') : [];
  return { result, challenge: statusCode === 3 ? readChallenge(answer) : null, fields: [...named, ...listed] };
}

function readChallenge({ stepUpUrl, paReq, md }: Readonly<Record<string, unknown>>): Challenge | null {
  // A script address would run in the page of the integrator.
  if (typeof stepUpUrl !== 'string' || !/^https?:\/\/[^\s/]/i.test(stepUpUrl)) return null;
  return { stepUpUrl, paReq: readText(paReq), md: readText(md) };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
