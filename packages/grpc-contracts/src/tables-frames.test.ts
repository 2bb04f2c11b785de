import { describe, expect, test } from '@jest/globals';
import { RequestorType } from './gen/service/tables/v1/requestor.js';
import { TablesErrorCode } from './gen/service/tables/v1/error.js';
import {
  readTablesCallFrame,
  readTablesFrame,
  findRefusal,
  writeErrorNotification,
  writeTablesCall,
  writeTablesRefusal,
  writeTablesResult,
} from './tables-frames.js';
import { readTablesAnswer } from './tables-methods.js';

const requestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
  requestor: { $case: 'cardMachineRequestorInfo' as const, value: { terminalId: '1', waiterId: 7 } },
};

describe('a call over JSON-RPC', () => {
  test('is received by the EPOS as the gateway sent it', () => {
    const request = { sessionId: 's-1', requestorInfo };
    const text = writeTablesCall('id-1', { $case: 'lockSession', value: request });
    expect(JSON.parse(text)).toEqual({
      ...{ jsonrpc: '2.0', id: 'id-1', method: 'LockSession' },
      params: {
        sessionId: 's-1',
        requestorInfo: {
          requestorType: 'REQUESTOR_TYPE_CARD_MACHINE',
          cardMachineRequestorInfo: { terminalId: '1', waiterId: 7 },
        },
      },
    });
    expect(readTablesCallFrame(text)).toEqual({
      is: 'call',
      id: 'id-1',
      call: { $case: 'lockSession', value: request },
    });
  });

  test.each([
    ['no JSON', '{', '', 'no JSON'],
    ['an array', '[]', '', 'no JSON object'],
    ['no method', '{"id":"a"}', 'a', 'method'],
    ['an unknown method', '{"id":"a","method":"PourWine"}', 'a', 'method'],
    ['a name of every object', '{"id":"a","method":"constructor"}', 'a', 'method'],
    ['no session', '{"id":"a","method":"GetSession","params":{}}', 'a', 'sessionId'],
    ['a session that is a number', '{"id":"a","method":"GetSession","params":{"sessionId":1}}', 'a', 'sessionId'],
    ['params that are a list', '{"id":"a","method":"GetSession","params":[]}', 'a', ''],
  ])('with %s is not understood, and the EPOS can say so', (_, text, id, reason) => {
    expect(readTablesCallFrame(text)).toEqual({ is: 'notUnderstood', id, reason: expect.stringContaining(reason) });
  });

  test('a notification is received as one, and is not answered', () => {
    const text = writeErrorNotification('id-1', 'the message is no JSON object');
    expect(JSON.parse(text)).not.toHaveProperty('id');
    expect(JSON.parse(text)).toMatchObject({ params: { id: 'id-1', errorCode: 'ERROR_PARSE_ERROR' } });
    expect(readTablesCallFrame(text)).toEqual({ is: 'notification' });
  });
});

describe('an answer over JSON-RPC', () => {
  test('is read as the EPOS gave it', () => {
    const text = writeTablesResult('id-1', { $case: 'unlockSession', value: {} });
    const frame = readTablesFrame(text);
    expect(frame).toEqual({ is: 'answer', id: 'id-1', result: {} });
    const answer = frame.is === 'answer' ? readTablesAnswer('unlockSession', frame.result) : null;
    expect(answer).toEqual({ $case: 'unlockSession', value: {} });
  });

  test('a refusal is a result with a code', () => {
    const refusal = { errorCode: TablesErrorCode.SESSION_NOT_LOCKED, errorReason: 'nobody has' };
    const frame = readTablesFrame(writeTablesRefusal('id-1', refusal));
    expect(frame.is === 'answer' ? findRefusal(frame.result) : null).toEqual(refusal);
  });

  test.each([
    [{ errorCode: 'SOMETHING_NEW' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: 'TABLES_ERROR_CODE_UNSPECIFIED' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: 'payment_not_recorded ' }, TablesErrorCode.PAYMENT_NOT_RECORDED],
    [{ ErrorCode: 'SESSION_NOT_LOCKED' }, TablesErrorCode.SESSION_NOT_LOCKED],
    // The numbers of a foreign enumeration have another order, so a number proves no more than that something failed.
    [{ errorCode: 8 }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: 0, errorReason: 'closed' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: true }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: { name: 'closed' } }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorCode: 'SESSION_NOT_LOCKED', ERRORCODE: 'closed' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ errorReason: 'no code' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ error: { message: 'closed' } }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ error: 'closed', errorCode: '' }, TablesErrorCode.ERROR_INTERNAL_POS_ERROR],
    [{ sessions: [], errorReason: 'none' }, null],
    [{ errorCode: '' }, null],
    [{ errorCode: 0 }, null],
    [{ errorCode: null, errorReason: '', error: false }, null],
    [{}, null],
  ])('the result %j is refused as %s', (result, code) => {
    expect(findRefusal(result)?.errorCode ?? null).toBe(code);
  });

  test.each([
    [{ errorCode: 8, errorReason: 'closed' }, 'closed'],
    [{ ErrorReason: 'closed', errorCode: 'NEW' }, 'closed'],
    [{ error: { message: 'closed' } }, 'closed'],
    [{ error: 'closed' }, 'closed'],
    [{ errorCode: 8 }, ''],
  ])('the reason of the result %j is %j', (result, reason) => {
    expect(findRefusal(result)?.errorReason).toBe(reason);
  });

  test.each([
    ['{"id":"a","result":{"x":1}}', { is: 'answer', id: 'a', result: { x: 1 } }],
    ['{"id":7,"result":{}}', { is: 'answer', id: '', result: {} }],
    [
      '{"id":"a","error":{"code":-1,"message":"boom"}}',
      { is: 'answer', id: 'a', result: { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: 'boom' } },
    ],
    [
      '{"id":"a","result":{},"error":{"code":-1,"message":"closed"}}',
      { is: 'answer', id: 'a', result: { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: 'closed' } },
    ],
    [
      '{"id":"a","result":{},"error":"closed"}',
      { is: 'answer', id: 'a', result: { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: 'closed' } },
    ],
    [
      '{"id":"a","result":{},"error":{"errorType":"Closed"}}',
      { is: 'answer', id: 'a', result: { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: '' } },
    ],
    ['{"id":"a","result":{"x":1},"error":null}', { is: 'answer', id: 'a', result: { x: 1 } }],
    ['{"id":"a","result":{"x":1},"error":""}', { is: 'answer', id: 'a', result: { x: 1 } }],
    ['{"id":"a","result":{"x":1},"error":{"code":0,"message":""}}', { is: 'answer', id: 'a', result: { x: 1 } }],
    ['{"id":"a","result":null}', { is: 'unreadable', id: 'a', reason: 'the message has no result' }],
    ['{"id":"a"}', { is: 'unreadable', id: 'a', reason: 'the message has no result' }],
    ['{"id":"a","result":[]}', { is: 'unreadable', id: 'a', reason: 'the message has no result' }],
    ['"a"', { is: 'unreadable', id: '', reason: 'the message is no JSON object' }],
    ['{', { is: 'unreadable', id: '', reason: 'the message is no JSON object' }],
  ])('the message %s is read as %j', (text, frame) => {
    expect(readTablesFrame(text)).toEqual(frame);
  });

  test('a result without what is required names the member', () => {
    expect(() => readTablesAnswer('getSession', {})).toThrow('session');
  });
});
