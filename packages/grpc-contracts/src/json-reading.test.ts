import { describe, expect, test } from '@jest/globals';
import type { Session } from './gen/index.service.tables.v1.js';
import { fromJson, JsonEdgeError } from './json-edge.js';
import type { JsonShape } from './json-shape.js';
import { payment as paymentShape } from './payment-shapes.js';
import { fullBill, requestorInfo, session, table, tablesError } from './tables-shapes.js';
import { BILL, withFooter, FULL_BILL, PAYMENT, SESSION, urlLine, withCard, withDetails } from './testing-tables.js';

describe('every spelling that occurs is read', () => {
  test.each<[string, JsonShape<object>, unknown, unknown]>([
    ['receiptUrl', fullBill, withFooter({ receiptUrl: { url: 'u', showQr: true } }), urlLine({ showQr: true })],
    ['showUrl', fullBill, withFooter({ receiptURL: { url: 'u', showUrl: true } }), urlLine({ showUrl: true })],
    [
      'the member, for any type',
      fullBill,
      withFooter({ receiptLineType: 'RECEIPT_LINE_TYPE_TEXT', receiptURL: { url: 'u' } }),
      urlLine({}),
    ],
    [
      'null as absent',
      session,
      { ...SESSION, waiter: null, tableName: null },
      readSession({ waiter: undefined, tableName: undefined }),
    ],
    ['unknown members', session, { ...SESSION, colour: 'red' }, readSession({})],
    ['offsets', session, { ...SESSION, createdAt: '2026-03-01T20:05:00+01:00' }, readSession({})],
    [
      'nine digits',
      session,
      { ...SESSION, createdAt: '2026-03-01T19:05:00.123456789Z' },
      readSession({ createdAt: new Date('2026-03-01T19:05:00.123Z') }),
    ],
    ['a waiter as text', session, { ...SESSION, waiter: { id: '0042', name: 'Ann' } }, readSession({})],
    [
      'tips as gratuity',
      paymentShape,
      { ...PAYMENT, gratuityAmount: undefined, tipsAmount: 250 },
      fromJson(paymentShape, PAYMENT),
    ],
    ['one member twice, alike', paymentShape, { ...PAYMENT, tips_amount: 250 }, fromJson(paymentShape, PAYMENT)],
    [
      'an unknown scheme',
      paymentShape,
      withCard({ scheme: 'CARD_SCHEME_NEW' }),
      fromJson(paymentShape, withCard({ scheme: 'CARD_SCHEME_UNKNOWN' })),
    ],
    [
      'no scheme',
      paymentShape,
      withCard({ scheme: 'CARD_SCHEME_UNSPECIFIED' }),
      fromJson(paymentShape, withCard({ scheme: undefined })),
    ],
    [
      'an unknown table status',
      table,
      { name: '1', maxCovers: 2, status: 'TABLE_STATUS_ON_FIRE' },
      { name: '1', maxCovers: 2, status: 'TABLE_STATUS_UNSPECIFIED' },
    ],
    [
      'an unknown error code',
      tablesError,
      { errorCode: 'NO_PAPER' },
      { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: '' },
    ],
    [
      'an unknown line among others',
      fullBill,
      withFooter({ receiptLineType: 'RECEIPT_LINE_TYPE_HOLOGRAM', receiptHologram: {} }),
      { ...urlLine({}), footer: { receiptLines: [] } },
    ],
  ])('%s', (...row) => {
    const [, shape, json, message] = row;
    expect(fromJson(shape, json)).toEqual(message);
  });
});

describe('what cannot be meant is refused, and the member is named', () => {
  test.each<[string, JsonShape<object>, unknown, string]>([
    ['no object', session, [], 'the message is not an object'],
    ['nothing', session, null, 'the message is not an object'],
    ['a missing id', session, { ...SESSION, id: undefined }, 'id is missing'],
    ['a missing false', session, { ...SESSION, isPayable: null }, 'isPayable is missing'],
    ['text for false', session, { ...SESSION, isPayable: 'false' }, 'isPayable is not true or false'],
    ['a number for text', session, { ...SESSION, name: 7 }, 'name is not text'],
    ['a NUL', session, { ...SESSION, name: 'a\0' }, 'name contains a NUL'],
    ['half a character', session, { ...SESSION, name: '\ud800' }, 'name contains half a character'],
    ['a waiter that is no number', session, { ...SESSION, waiter: { id: 'Ann' } }, 'waiter.id is not a number'],
    [
      'a broken number of covers',
      session,
      { ...SESSION, numberOfCovers: 1.5 },
      'numberOfCovers is not a whole number of 32 bits',
    ],
    [
      'too many covers',
      session,
      { ...SESSION, numberOfCovers: 2 ** 31 },
      'numberOfCovers is not a whole number of 32 bits',
    ],
    ['an amount as text', paymentShape, { ...PAYMENT, baseAmount: '2500' }, 'baseAmount is not a number'],
    ['a broken amount', paymentShape, { ...PAYMENT, baseAmount: 0.1 }, 'baseAmount is not a whole number below 2^53'],
    [
      'an amount beyond 2^53',
      paymentShape,
      { ...PAYMENT, baseAmount: 2 ** 53 },
      'baseAmount is not a whole number below 2^53',
    ],
    [
      'two tips',
      paymentShape,
      { ...PAYMENT, tipsAmount: 251 },
      'gratuityAmount is given twice, as gratuityAmount and tipsAmount',
    ],
    [
      'an unknown method',
      paymentShape,
      withDetails({ method: 'PAYMENT_METHOD_BARTER' }),
      'methodDetails.method is unknown: it is not a name such as PAYMENT_METHOD_CARD_PRESENT',
    ],
    [
      'no method',
      paymentShape,
      withDetails({ method: 'PAYMENT_METHOD_UNSPECIFIED' }),
      'methodDetails.method is missing',
    ],
    [
      'no status',
      paymentShape,
      withDetails({ cardPresentPaymentStatus: null }),
      'methodDetails has no cardPresentPaymentStatus',
    ],
    ['no details', paymentShape, { ...PAYMENT, methodDetails: undefined }, 'methodDetails is missing'],
    [
      'a day that is not',
      session,
      { ...SESSION, createdAt: '2026-02-30T00:00:00Z' },
      'createdAt is not a time such as',
    ],
    [
      'an hour that is not',
      session,
      { ...SESSION, createdAt: '2026-02-03T24:00:00Z' },
      'createdAt is not a time such as',
    ],
    ['a time of nowhere', session, { ...SESSION, createdAt: '2026-02-03T20:00:00' }, 'createdAt is not a time such as'],
    [
      'ten digits',
      session,
      { ...SESSION, createdAt: '2026-02-03T20:00:00.1234567890Z' },
      'createdAt is not a time such as',
    ],
    ['seconds since 1970', session, { ...SESSION, createdAt: 1772391900 }, 'createdAt is not a time such as'],
    [
      'a list that is none',
      fullBill,
      { ...FULL_BILL, header: { receiptLines: {} } },
      'header.receiptLines is not a list',
    ],
    [
      'a line without its member',
      fullBill,
      withFooter({ receiptLineType: 'RECEIPT_LINE_TYPE_TEXT' }),
      'footer.receiptLines[0] has no member for RECEIPT_LINE_TYPE_TEXT',
    ],
    ['a line without anything', fullBill, withFooter({}), 'footer.receiptLines[0] has neither a type nor a member'],
    [
      'a line of two kinds',
      fullBill,
      withFooter({ receiptURL: { url: 'u' }, receiptLogo: { svgImage: '' } }),
      'footer.receiptLines[0] has both receiptLogo and receiptUrl',
    ],
    [
      'a line without its address',
      fullBill,
      withFooter({ receiptURL: {} }),
      'footer.receiptLines[0].receiptURL.url is missing',
    ],
    [
      'an item far down',
      fullBill,
      { ...FULL_BILL, billItems: { ...BILL, items: [BILL.items[0], {}] } },
      'billItems.items[1].id is missing',
    ],
    ['nobody', requestorInfo, { requestorType: 'REQUESTOR_TYPE_UNSPECIFIED' }, 'requestorType is missing'],
    ['nothing of who asks', requestorInfo, {}, 'requestorType is missing'],
    [
      'somebody in another spelling',
      requestorInfo,
      { requestorType: 'RequestorTypeDevice' },
      'requestorType is unknown: it is not a name such as REQUESTOR_TYPE_CARD_MACHINE',
    ],
    ['somebody by number', requestorInfo, { requestorType: 1 }, 'requestorType is not the name of a value'],
    [
      "a payer's device with a machine",
      requestorInfo,
      { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE', cardMachineRequestorInfo: {} },
      'the message has cardMachineRequestorInfo with REQUESTOR_TYPE_CONSUMER_DEVICE',
    ],
    ['a code that is a number', tablesError, { errorCode: 3 }, 'errorCode is not the name of a value'],
    ['an error without code', tablesError, { errorReason: 'no' }, 'errorCode is missing'],
    ['members of a prototype', session, Object.create(SESSION), 'id is missing'],
  ])('%s', (...row) => {
    const [, shape, json, problem] = row;
    expect(() => fromJson(shape, json)).toThrow(JsonEdgeError);
    expect(() => fromJson(shape, json)).toThrow(problem);
  });
});

function readSession(members: Partial<Session>): Session {
  return { ...fromJson(session, SESSION), ...members };
}
