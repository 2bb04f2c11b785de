import { toStorableText } from '../refusals/storable-text.js';
import { containsCardNumber, containsSecurityCode } from '../cards/card-number.js';

/** JSON in which only listed members have their values. */
export type RecordedJson =
  | string
  | number
  | boolean
  | null
  | readonly RecordedJson[]
  | { readonly [name: string]: RecordedJson };

/** What is stored in place of a value that is not recorded. */
export const NOT_RECORDED = '[not recorded]';

/** A larger body is stored in part. */
const VALUES_MAX = 200;
const DEPTH_MAX = 8;
const TEXT_LENGTH_MAX = 200;
const NAME = /^[\w.[\]-]{1,64}$/;

/**
 * The members whose values are recorded, in bodies and queries of requests and in calls to acquirers and EPOSes. Every
 * other value is left out, so a new member with personal data or a secret is not stored until it is listed here.
 */
export const RECORDED_MEMBERS: ReadonlySet<string> = new Set([
  ...['id', 'accountId', 'paymentIntentId', 'setupIntentId', 'customerId', 'terminalId', 'terminalSessionId'],
  ...['sessionId', 'captureId', 'refundId', 'reversalId', 'orderId', 'journeyId', 'paymentId', 'eventId', 'keyId'],
  ...['transactionId', 'previousTransactionId', 'tableId', 'waiterId', 'legacyId', 'alarmId', 'lockId'],
  ...['reference', 'originalReference', 'merchantId', 'acquirer', 'authCode', 'connectionId', 'leaseId'],
  ...['status', 'statusCode', 'state', 'states', 'statuses', 'type', 'kind', 'code', 'title', 'detail', 'errors'],
  ...['outcome', 'reason', 'refusal', 'errorType', 'sessionType', 'captureMode', 'eventType', 'event', 'events'],
  ...['paymentMethods', 'paymentSource', 'paymentEvents', 'paymentStatus', 'entryMode', 'cardScheme', 'fundingType'],
  ...['amount', 'baseAmount', 'tipsAmount', 'cashbackAmount', 'serviceChargeAmount', 'capturedAmount', 'totalAmount'],
  ...['refundedAmount', 'requestedAmount', 'intendedAmount', 'gratuityAmount', 'paidAmount', 'value', 'currencyCode'],
  ...['currency', 'quantity', 'limit', 'from', 'to', 'startDate', 'endDate', 'cursor', 'queued'],
  ...['createdAt', 'updatedAt', 'expireAt', 'dateTime', 'transactionDateTime', 'now', 'by', 'release', 'capability'],
  ...['autoExpireAction', 'autoExpireIn', 'cardHolderNotPresent', 'generateRemoteToken', 'isNotOnlineCheckout'],
  ...['savePaymentMethod', 'mitConsentGiven', 'isActive', 'paused', 'confirm', 'accepted', 'wallet', 'permissions'],
  ...['role', 'environment', 'sale', 'matchedRefund', 'unlinkedRefund', 'payment', 'data', 'captures', 'transport'],
  ...['totalResults', 'billItems', 'sessions', 'sessionLocked'],
]);

/** Members whose names come from the caller or from its members, with texts of ours: the violations of a request. */
const NAMED_BY_CALLER: ReadonlySet<string> = new Set(['errors']);

/** A copy of a value with the values of listed members only. It has a bounded size. */
export function recordJson(value: unknown): RecordedJson {
  return new Recording().copyValue(value, { depth: 0, allowsAnyName: false });
}

/** Whether a text may be stored: it is short, and neither a secret nor a card number is in it. */
export function isRecordableText(text: string): boolean {
  return (
    text.length <= TEXT_LENGTH_MAX &&
    toStorableText(text) === text &&
    !LIKE_A_SECRET.test(text) &&
    !containsCardNumber(text, 'any') &&
    !containsSecurityCode(text)
  );
}

/** The path of a request, without segments that may be secrets. */
export function recordPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (isRecordableText(decodeSegment(segment)) ? segment : NOT_RECORDED))
    .join('/');
}

/**
 * Every key and secret of ours, and every token, has as many characters in one piece; no id has. A key may also be cut:
 * its beginning is enough.
 */
const LIKE_A_SECRET = /[\w+/=-]{40}|\b(?:sk|cs)_(?:sandbox|prod)_|Bearer |Basic /;

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface Place {
  readonly depth: number;
  readonly allowsAnyName: boolean;
}

class Recording {
  #left = VALUES_MAX;

  copyValue(value: unknown, place: Place): RecordedJson {
    this.#left -= 1;
    if (this.#left < 0 || place.depth > DEPTH_MAX) return NOT_RECORDED;
    if (Array.isArray(value)) return this.#copyList(value, place);
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'object' && value !== null) return this.#copyMembers(value, place);
    return copyLeaf(value);
  }

  #copyList(values: readonly unknown[], { depth, allowsAnyName }: Place): RecordedJson {
    const copies: RecordedJson[] = [];
    for (const value of values) {
      if (this.#left <= 0) break;
      copies.push(this.copyValue(value, { depth: depth + 1, allowsAnyName }));
    }
    return copies;
  }

  #copyMembers(value: object, { depth, allowsAnyName }: Place): RecordedJson {
    const copies: Record<string, RecordedJson> = {};
    for (const [name, member] of Object.entries(value)) {
      if (this.#left <= 0) break;
      if (member === undefined || !NAME.test(name) || !isRecordableText(name)) continue;
      const isListed = allowsAnyName || RECORDED_MEMBERS.has(name);
      copies[name] = isListed
        ? this.copyValue(member, { depth: depth + 1, allowsAnyName: NAMED_BY_CALLER.has(name) })
        : NOT_RECORDED;
    }
    return copies;
  }
}

function copyLeaf(value: unknown): RecordedJson {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return copyNumber(Number(value));
  return typeof value === 'string' && isRecordableText(value) ? value : NOT_RECORDED;
}

function copyNumber(value: number): RecordedJson {
  return Number.isFinite(value) && !containsCardNumber(String(value), 'any') ? value : NOT_RECORDED;
}
