import { describe, expect, test } from '@jest/globals';
import { findCapability, EPOS_CAPABILITIES } from '@pos/core/tables';
import { z } from 'zod';
import {
  getCapability,
  findCallOfSocketMethod,
  EPOS_DATA,
  type EposDataCallName,
  isEposDataRead,
  toSocketMethod,
} from './epos-data.js';
import { readAnswerFrame, readCallFrame, writeAnswerFrame, writeCallFrame } from './epos-data-frames.js';
import { readEposAnswer, readEposError, readEposParams, buildRestRequest } from './epos-data-reading.js';

const NAMES = Object.keys(EPOS_DATA) as EposDataCallName[];
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const DINE_IN = { orderType: 'DineIn', dineIn: { tableId: 't-7' } };
const ORDER = { id: '118', status: 'Ready', details: DINE_IN, totalAmount: gbp(1_300) };

function getExample(schema: z.ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  if (Array.isArray(examples)) return examples[0];
  if (schema instanceof z.ZodArray) return [getExample(schema.element as z.ZodType)];
  if (schema instanceof z.ZodUnion) return getExample(schema.options[0] as z.ZodType);
  return { data: getExample((schema as z.ZodObject).shape['data'] as z.ZodType), before: null, after: null };
}

describe('the calls', () => {
  test('every capability is one call, and the two kinds of event share theirs', () => {
    const events = ['payment_intent.created', 'payment_intent.status_updated'];
    const named = NAMES.flatMap((name) =>
      (name === 'HandleEvent' ? events : ['']).map((kind) => getCapability(name, kind)),
    );
    expect(named).toEqual([...EPOS_CAPABILITIES]);
    expect(getCapability('HandleEvent', 'terminal_session.status_updated')).toBeNull();
  });

  test.each(NAMES)('%s has valid examples of its body and answer', (name) => {
    const { body, returns } = EPOS_DATA[name];
    if (body !== null) expect(body.parse(getExample(body))).toEqual(getExample(body));
    if (returns !== null)
      expect(readEposAnswer(name, getExample(returns))).toEqual({
        ok: true,
        value: getExample(returns),
        unreadable: [],
      });
  });

  test('only calls that read may be repeated', () => {
    const reads = NAMES.filter(isEposDataRead);
    expect(reads.filter((name) => !/^(List|Get|Search)/.test(name))).toEqual([]);
    expect(reads).toHaveLength(9);
  });

  test.each(NAMES)('%s is called by its name on the socket', (name) => {
    expect(findCallOfSocketMethod(toSocketMethod(name))).toBe(name);
  });

  test.each(['', 'V1', 'ListAreas', 'listAreasV1', 'ListAreasV2', 'toStringV1', 'constructorV1'])(
    'no call is named %j on the socket',
    (method) => {
      expect(findCallOfSocketMethod(method)).toBeNull();
    },
  );

  test.each([
    ['GetOrderBill', 'GetOrderBillById'],
    ['RecordOrderPayment', 'RecordOrderPaymentById'],
    ['UpdatePartyById', 'UpdateParty'],
    ['UpdateReservationById', 'UpdateReservation'],
    ['ListAreas', 'ListAreas'],
    ['listAreas', null],
    ['HandleEvent', null],
    ['toString', null],
  ])('%s is registered as %s', (name, capability) => {
    expect(findCapability(name)).toBe(capability);
  });
});

describe('an answer is read leniently', () => {
  test.each([
    ['without a status is new', { ...ORDER, status: undefined }, { status: 'New' }],
    ['with an unknown status is new', { ...ORDER, status: 'Cooking' }, { status: 'New' }],
    ['may lack its id', { ...ORDER, id: undefined }, { totalAmount: gbp(1_300) }],
    ['may have null for absent members', { ...ORDER, note: null, items: null }, { id: '118' }],
    ['is spelled in any case', { id: '1', details: DINE_IN, TotalAmount: gbp(900) }, { totalAmount: gbp(900) }],
    [
      'may send a number as text',
      { ...ORDER, totalAmount: { value: '900', currencyCode: 'gbp' } },
      { totalAmount: gbp(900) },
    ],
    [
      'names the price of a modifier in two ways',
      {
        ...ORDER,
        items: [
          {
            ...{ name: 'Soup', quantity: 1, plu: '1', amountPerItem: gbp(650) },
            modifiers: [{ name: 'Bread', quantity: 1, plu: '2', amountPerModifier: gbp(50) }],
          },
        ],
      },
      { items: [expect.objectContaining({ modifiers: [expect.objectContaining({ amountPerItem: gbp(50) })] })] },
    ],
  ])('an order %s', (_, sent, read) => {
    expect(readEposAnswer('GetOrderById', sent)).toMatchObject({ ok: true, value: read });
  });

  test.each([
    ['no object', 'GetOrderById', 'an order', 'the answer'],
    ['nothing', 'GetOrderById', null, 'the answer'],
    ['an array for an order', 'GetOrderById', [ORDER], 'the answer'],
    ['pence and a half', 'GetOrderById', { ...ORDER, totalAmount: gbp(12.5) }, 'totalAmount.value'],
    [
      'pence as text with a fraction',
      'GetOrderById',
      { ...ORDER, totalAmount: { value: '900.00', currencyCode: 'GBP' } },
      'totalAmount.value',
    ],
    [
      'pence as text with an exponent',
      'GetOrderById',
      { ...ORDER, totalAmount: { value: '9e2', currencyCode: 'GBP' } },
      'totalAmount.value',
    ],
    ['an amount beyond exact numbers', 'GetOrderById', { ...ORDER, totalAmount: gbp(2 ** 53) }, 'totalAmount.value'],
    [
      'an amount without a currency',
      'GetOrderById',
      { ...ORDER, totalAmount: { value: 1 } },
      'totalAmount.currencyCode',
    ],
    ['a page without data', 'SearchOrders', { after: 'x' }, 'data'],
    ['a bare object for areas', 'ListAreas', { id: 'a', name: 'A' }, 'the answer'],
    [
      'a party at no table',
      'GetPartyById',
      { id: 'p', status: 'x', tableIds: [], startTime: '2026-03-01T19:00:00Z' },
      'tableIds',
    ],
  ] as const)('%s is refused', (_, name, sent, where) => {
    expect(readEposAnswer(name, sent)).toMatchObject({ ok: false, reason: expect.stringContaining(`${where}:`) });
  });

  test('a bill leaves out invalid lines and keeps the others', () => {
    const lines = [
      { lineType: 'Text', text: { value: 'Welcome', size: 'Body', align: 'Justify' } },
      { lineType: 'HorizontalLine', horizontalLine: { line: 'Wavy' } },
      { lineType: 'Hologram', hologram: {} },
      { lineType: 'Text', url: { url: 'https://a.example', showQr: true } },
    ];
    const reading = readEposAnswer('GetOrderBillById', { header: { lines }, order: ORDER, footer: { lines: [] } });
    expect(reading).toMatchObject({
      ok: true,
      value: {
        header: {
          lines: [
            { lineType: 'Text', text: { value: 'Welcome', size: 'Body' } },
            { lineType: 'Hologram' },
            { lineType: 'Text', url: { url: 'https://a.example', showQR: true } },
          ],
        },
      },
    });
  });

  test.each([
    [
      { errorType: 'Conflict', debugMessage: 'locked' },
      { errorType: 'Conflict', debugMessage: 'locked' },
    ],
    [{ ErrorType: 'notfound' }, { errorType: 'NotFound' }],
    [{ errorType: 'Odd' }, null],
    [{ error: 'no' }, null],
    ['NotFound', null],
    [null, null],
  ])('the refusal %j is read as %j', (sent, read) => {
    expect(readEposError(sent)).toEqual(read);
  });
});

describe('a call is read by an EPOS', () => {
  test.each([
    ['SearchOrders', { details: { dineIn: { tableId: '7' } } }, { details: { dineIn: { tableId: '7' } } }],
    ['SearchOrders', { dineIn: { tableId: '7' } }, { details: { dineIn: { tableId: '7' } } }],
    ['SearchOrders', {}, {}],
    ['GetOrderById', { orderId: '118', extra: 1 }, { orderId: '118' }],
    [
      'ExtendOrderLock',
      { orderId: '118', lockId: 'l', expiry: '2026-03-01T19:05:00+01:00' },
      { orderId: '118', lockId: 'l', expiry: '2026-03-01T19:05:00+01:00' },
    ],
  ] as const)('%s %j', (name, sent, read) => {
    expect(readEposParams(name, sent)).toEqual({ ok: true, value: read });
  });

  test.each([
    ['GetOrderById', {}, ['orderId']],
    ['CreateOrderLock', { orderId: '1', lockId: 'mine' }, ['lockId', 'expiry']],
    ['RecordOrderPaymentById', { orderId: '1', paidAmount: gbp(1.5) }, ['paymentIntentId', 'paidAmount.value']],
    ['SearchTables', { cursor: { limit: 101 } }, ['cursor.limit']],
    ['SearchTables', { cursor: { before: 'a', after: 'b' } }, ['cursor.before']],
  ] as const)('%s %j is refused for %j', (name, sent, members) => {
    const reading = readEposParams(name, sent);
    expect(reading.ok ? [] : Object.keys(reading.errors)).toEqual(members);
  });

  test.each([
    ['GetOrderById', { orderId: 'a/b ?' }, { method: 'GET', path: '/v1/orders/a%2Fb%20%3F', body: null }],
    [
      'RecordOrderPaymentById',
      { orderId: '1', paymentIntentId: 'pi', paidAmount: gbp(1) },
      { method: 'POST', path: '/v1/orders/1/record-payment', body: { paymentIntentId: 'pi', paidAmount: gbp(1) } },
    ],
    ['SearchTables', {}, { method: 'POST', path: '/v1/tables/search', body: {} }],
  ] as const)('%s %j is sent over HTTP as %j', (name, params, request) => {
    expect(buildRestRequest(name, params)).toEqual(request);
  });
});

describe('the frames of the socket', () => {
  const headers = { waiterId: '42', deviceType: 'CardMachine' };

  test('a call is parsed as it was written, with path and body together', () => {
    const call = { name: 'CreateOrderLock', params: { orderId: '118', lockId: 'l' }, headers } as const;
    expect(readCallFrame(writeCallFrame('id-1', call))).toEqual({ id: 'id-1', ...call });
    expect(JSON.parse(writeCallFrame('id-1', call))).toEqual({
      ...{ jsonrpc: '2.0', id: 'id-1', method: 'CreateOrderLockV1' },
      params: { headers, orderId: '118', lockId: 'l' },
    });
  });

  test.each([
    ['UpdateParty', 'partyId'],
    ['UpdateReservation', 'reservationId'],
  ] as const)('%s writes `id` for the updated object, and both names are accepted', (name, member) => {
    const text = writeCallFrame('i', { name, params: { [member]: 'x', covers: 2 }, headers: {} });
    expect(JSON.parse(text)).toMatchObject({ params: { id: 'x', covers: 2 } });
    expect(readCallFrame(text)?.params).toEqual({ [member]: 'x', covers: 2 });
    expect(readCallFrame(text.replace('"id":"x"', `"${member}":"x"`))?.params).toEqual({ [member]: 'x', covers: 2 });
  });

  test.each([
    '',
    'x',
    '[]',
    'null',
    '{}',
    '{"id":1,"method":"ListAreasV1"}',
    '{"id":"a","method":"ListAreasV1","params":[]}',
  ])('%j is no call', (text) => {
    expect(readCallFrame(text)).toBeNull();
  });

  test('an unknown method keeps its id, so that it can be answered', () => {
    expect(readCallFrame('{"id":"a","method":"BrewTeaV1"}')).toEqual({ id: 'a', name: null, params: {}, headers: {} });
  });

  test.each([
    ['{"id":"a","result":{}}', { id: 'a', outcome: 'result', json: {} }],
    ['{"id":"a","result":[1]}', { id: 'a', outcome: 'result', json: [1] }],
    ['{"id":"a","error":{"errorType":"Conflict"}}', { id: 'a', outcome: 'error', error: { errorType: 'Conflict' } }],
    ['{"id":"a","error":{"code":-32601}}', { id: 'a', outcome: 'error', error: { errorType: 'UnexpectedError' } }],
    ['{"id":"a","error":"no","result":{}}', { id: 'a', outcome: 'error', error: { errorType: 'UnexpectedError' } }],
    ['{"id":"a"}', { id: 'a', outcome: 'empty' }],
    ['{"id":"a","method":"HandleEventV1"}', null],
    ['{"id":7,"result":{}}', null],
    ['{"result":{}}', null],
    ['nonsense', null],
  ])('the answer %s is read as %j', (text, answer) => {
    expect(readAnswerFrame(text)).toEqual(answer);
    if (answer !== null && 'json' in answer) {
      expect(readAnswerFrame(writeAnswerFrame(answer as never))).toEqual(answer);
    }
  });
});
