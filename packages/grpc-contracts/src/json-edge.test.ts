import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as tables from './gen/index.service.tables.v1.js';
import { fromJson, toJson } from './json-edge.js';
import type { JsonShape } from './json-shape.js';
import { payment as paymentShape } from './payment-shapes.js';
import {
  getTablesCall,
  readTablesAnswer,
  TABLES_METHODS,
  type TablesCallName,
  toTablesContent,
} from './tables-methods.js';
import { errorNotification, fullBill, requestorInfo, session, table, tablesError } from './tables-shapes.js';
import { anyMessage, registry } from './testing.js';
import { BILL, FULL_BILL, PAYMENT, SESSION, urlLine, withCard } from './testing-tables.js';

describe('what came in goes out again, member by member', () => {
  test.each<[string, JsonShape<object>, unknown]>([
    ['a session', session, SESSION],
    [
      'a session with nothing that may be absent',
      session,
      { id: 's', name: '', createdAt: SESSION.createdAt, isPayable: false },
    ],
    ['a table', table, { name: '12', maxCovers: 0, status: 'TABLE_STATUS_OCCUPIED' }],
    ['a payment', paymentShape, PAYMENT],
    ['a bill with head and foot', fullBill, FULL_BILL],
    ['a refusal', tablesError, { errorCode: 'SESSION_ALREADY_LOCKED', errorReason: '' }],
    ['a notification', errorNotification, { id: '', errorCode: 'ERROR_PARSE_ERROR', errorReason: 'no JSON' }],
    [
      "a payer's device",
      requestorInfo,
      { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE', consumerDeviceRequestorInfo: {} },
    ],
    [
      'a machine',
      requestorInfo,
      { requestorType: 'REQUESTOR_TYPE_CARD_MACHINE', cardMachineRequestorInfo: { waiterId: 0 } },
    ],
  ])('%s', (_name, shape, json) => {
    expect(toJson(shape, fromJson(shape, json))).toEqual(json);
  });
});

describe('every message survives JSON, also in snake_case', () => {
  const shapes = Object.values(TABLES_METHODS).flatMap(({ request, response }): JsonShape<object>[] => [
    request,
    response,
  ]);
  test.each(shapes.map((shape) => [shape.name, shape] as const))('%s', (name, shape) => {
    const desc = registry.getMessage(`service.tables.v1.${name}`);
    if (desc === undefined) throw new Error(`the contract has no ${name}`);
    fc.assert(
      fc.property(anyMessage(desc, { anything: false, agree }), (message) => {
        const json: unknown = JSON.parse(JSON.stringify(toJson(shape, message as never)));
        expect(fromJson(shape, json)).toEqual(message);
        expect(fromJson(shape, snakeCased(json))).toEqual(message);
        expect(JSON.stringify(json)).not.toMatch(/_UNSPECIFIED|UNRECOGNIZED|null/);
      }),
      { numRuns: 50, seed: 1 },
    );
  });
  test('of all ten methods', () => expect(shapes).toHaveLength(20));
});

describe('what must not be said is not written', () => {
  const read = fromJson(paymentShape, PAYMENT);
  test.each<[string, JsonShape<object>, unknown, string]>([
    ['an amount beyond 2^53', paymentShape, { ...read, baseAmount: 2n ** 53n }, 'baseAmount is beyond 2^53'],
    ['a payment without a time', paymentShape, { ...read, attemptedAt: undefined }, 'attemptedAt is missing'],
    [
      'a time that is none',
      paymentShape,
      { ...read, attemptedAt: new Date(Number.NaN) },
      'attemptedAt is not a time between',
    ],
    [
      'a payment without a method',
      paymentShape,
      { ...read, methodDetails: { method: 'PAYMENT_METHOD_UNSPECIFIED' } },
      'methodDetails.method is missing',
    ],
    [
      'a payment by a method of a newer contract',
      paymentShape,
      { ...read, methodDetails: { method: 'UNRECOGNIZED' } },
      'methodDetails.method is unknown',
    ],
    [
      'a payment without its status',
      paymentShape,
      { ...read, methodDetails: { method: 'PAYMENT_METHOD_REMOTE' } },
      'methodDetails has no remotePaymentStatus',
    ],
    [
      'an empty line',
      fullBill,
      { ...urlLine({}), footer: { receiptLines: [{ receiptLineType: 'RECEIPT_LINE_TYPE_URL', line: undefined }] } },
      'footer.receiptLines[0] has no member',
    ],
  ])('%s', (...row) => {
    const [, shape, message, problem] = row;
    expect(() => toJson(shape, message as never)).toThrow(problem);
  });

  test('a status that is not known is left out, an unknown scheme is UNKNOWN', () => {
    expect(toJson(table, { name: '1', maxCovers: 2, status: tables.TableStatus.UNRECOGNIZED })).toEqual({
      name: '1',
      maxCovers: 2,
    });
    const json = toJson(paymentShape, fromJson(paymentShape, withCard({ scheme: 'CARD_SCHEME_NEW' })));
    expect(JSON.stringify(json)).toContain('"scheme":"CARD_SCHEME_UNKNOWN"');
  });

  test('an unset member of a payment is left out, not written as an empty text', () => {
    const details = { method: 'PAYMENT_METHOD_REMOTE', remotePaymentStatus: 'REMOTE_PAYMENT_STATUS_UNKNOWN' };
    const json = { ...PAYMENT, methodDetails: { ...details, remotePaymentInfo: { merchantId: '7', card: {} } } };
    expect(toJson(paymentShape, fromJson(paymentShape, json))).toEqual(json);
  });

  test('a value that only a newer version knows is passed on as UNKNOWN', () => {
    const read = fromJson(tablesError, { errorCode: 'SESSION_NOT_LOCKED' });
    const newer = { ...read, errorCode: tables.TablesErrorCode.UNRECOGNIZED };
    expect(toJson(tablesError, newer)).toEqual({ errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: '' });
  });
});

describe('over plain HTTP only the content travels', () => {
  const contentOfAnswer = (name: TablesCallName, result: unknown) => toTablesContent(readTablesAnswer(name, result));

  test.each<[string, TablesCallName, object, unknown]>([
    ['a list is a bare array', 'listSessions', { sessions: [SESSION] }, [SESSION]],
    ['one thing is the thing itself', 'lockSession', { billItems: BILL }, BILL],
    ['success that has nothing to say is {}', 'unlockSession', { ok: true }, {}],
  ])('%s', (_, name, result, content) => {
    expect(contentOfAnswer(name, result)).toEqual(content);
  });
  test('a refused result names what is wrong with it', () => {
    expect(() => readTablesAnswer('listSessions', { sessions: {} })).toThrow('sessions is not a list');
  });
  test.each([
    ['ListSessions', 'listSessions'],
    ['RecordPayment', 'recordPayment'],
    ['listSessions', null],
    ['toString', null],
    ['', null],
  ])('the method %p is the call %p', (method, call) => {
    expect(getTablesCall(method)).toBe(call);
  });
});

/** Arbitrary members do not agree with each other: a type says what the member is, and a method needs its status. */
function agree(typeName: string, message: Record<string, unknown>): Record<string, unknown> {
  switch (typeName) {
    case 'service.tables.v1.RequestorInfo': {
      const { requestor } = message as unknown as tables.RequestorInfo;
      const isMachine = requestor?.$case === 'cardMachineRequestorInfo';
      return {
        ...message,
        requestorType: isMachine ? 'REQUESTOR_TYPE_CARD_MACHINE' : 'REQUESTOR_TYPE_CONSUMER_DEVICE',
      };
    }
    case 'service.tables.v1.ReceiptLine': {
      const { line } = message as unknown as tables.ReceiptLine;
      const name =
        line?.$case
          .replace(/^receipt/, '')
          .replace(/(?<!^)[A-Z]/g, '_$&')
          .toUpperCase() ?? '';
      return { ...message, receiptLineType: `RECEIPT_LINE_TYPE_${name}` };
    }
    case 'service.tables.v1.PaymentMethodDetails':
      return {
        cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_UNKNOWN',
        remotePaymentStatus: 'REMOTE_PAYMENT_STATUS_UNKNOWN',
        ...Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)),
      };
    default:
      return message;
  }
}

function snakeCased(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(snakeCased);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [snake(name), snakeCased(value)]));
}

/** receiptURL and last4PAN are the wire's spelling; in the contract they are receipt_url and last4_pan. */
function snake(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`).replace('vatnumber', 'vat_number');
}
