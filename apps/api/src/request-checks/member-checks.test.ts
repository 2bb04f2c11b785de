import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiTestEnvironment, GBP_20, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const XTS_AMOUNT = { value: 100, currencyCode: 'XTS' };
const PAST_TIME = '2020-01-01T00:00:00Z';
const INTENT_BODY = { amount: GBP_20, reference: 'r' };
const SETUP_BODY = { merchantInitiatedTransactionType: 'NoShow', terms: 't', reference: 'r', paymentMethods: ['Card'] };
const WEBHOOK_BODY = { url: 'https://hooks.example/x', events: ['payment_intent.created'] };
const BASIC_AUTH = { authType: 'basic', basic: { username: 'u', password: 'p' } };
const REST_BODY = { url: 'https://epos.example/pos', auth: BASIC_AUTH, capabilities: [] };
const UNLINKED_REFUND_BODY = { terminalId: 'tm', sessionType: 'UnlinkedRefund', amount: XTS_AMOUNT };
const METADATA_IP = 'https://169.254.169.254/x';
const UNREADABLE = { version: null };

// oxfmt-ignore
test.each<[string, string, unknown, readonly string[], Record<string, string | null>?]>([
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: '', amount: XTS_AMOUNT }, ['amount.currencyCode', 'reference']],
  ['POST', '/payment-intents', { amount: { value: 'x', currencyCode: 'XTS' }, reference: 'r' }, ['amount.currencyCode', 'amount.value']],
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: 5, expireAt: PAST_TIME }, ['expireAt', 'reference']],
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: '', captureMode: 'Manual', autoExpireIn: '00:00:01' }, ['autoExpireIn', 'reference']],
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: '', captureMode: 'Manual', setupIntentId: 'si_sandbox_AAAAAAAAAAAAAAAAAAAAAA' }, ['captureMode', 'reference']],
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: '', tipsAmount: { value: 1, currencyCode: 'EUR' } }, ['reference', 'tipsAmount.currencyCode']],
  ['POST', '/payment-intents', { ...INTENT_BODY, itemLines: [{ amountTotal: { value: 'x', currencyCode: 'EUR' } }, { amountTotal: { value: 1, currencyCode: 'EUR' } }] }, ['itemLines[0].amountTotal.currencyCode', 'itemLines[0].amountTotal.value', 'itemLines[1].amountTotal.currencyCode']],
  ['POST', '/payment-intents', { ...INTENT_BODY, reference: '', amount: { value: 999_999_999_999, currencyCode: 'GBP' }, tipsAmount: { value: 1, currencyCode: 'GBP' } }, ['amount.value', 'reference']],
  ['POST', '/payment-intents', { ...INTENT_BODY, amount: XTS_AMOUNT, customer: { id: 'nobody' } }, ['amount.currencyCode', 'customer.id']],
  ['POST', '/payment-intents', { ...INTENT_BODY, amount: XTS_AMOUNT, setupIntentId: 'none' }, ['amount.currencyCode', 'setupIntentId']],
  ['POST', '/payment-intents', { ...INTENT_BODY, amount: XTS_AMOUNT, expireAt: PAST_TIME }, ['amount.currencyCode', 'expireAt', 'version'], UNREADABLE],
  ['POST', '/setup-intents', { ...SETUP_BODY, terms: '', intendedAmount: XTS_AMOUNT }, ['intendedAmount.currencyCode', 'terms']],
  ['POST', '/setup-intents', { ...SETUP_BODY, reference: '', expireAt: PAST_TIME, intendedAmount: XTS_AMOUNT }, ['expireAt', 'intendedAmount.currencyCode', 'reference']],
  ['POST', '/setup-intents', { ...SETUP_BODY, intendedAmount: XTS_AMOUNT, customer: { id: 'nobody' } }, ['customer.id', 'intendedAmount.currencyCode']],
  ['POST', '/webhooks', { ...WEBHOOK_BODY, url: METADATA_IP, events: ['nothing'] }, ['events', 'url']],
  ['POST', '/webhooks', { ...WEBHOOK_BODY, url: METADATA_IP }, ['url', 'version'], UNREADABLE],
  ['PATCH', '/webhooks/wh', { url: METADATA_IP, events: [] }, ['events', 'url']],
  ['PUT', '/epos/integrations/rest', { ...REST_BODY, url: METADATA_IP, capabilities: [{ name: 'x', version: 'v1' }] }, ['capabilities[0].name', 'url']],
  ['PUT', '/epos/integrations/rest', { ...REST_BODY, url: 'http://epos.example', auth: {} }, ['auth.authType', 'auth.basic', 'url']],
  ['PUT', '/epos/integrations/grpc', { url: 'https://169.254.169.254', auth: {} }, ['auth.authType', 'auth.basic', 'url']],
  ['POST', '/terminal-sessions', { ...UNLINKED_REFUND_BODY, terminalId: '' }, ['amount.currencyCode', 'terminalId']],
  ['POST', '/terminal-sessions', { ...UNLINKED_REFUND_BODY, amount: { value: 0, currencyCode: 'XTS' } }, ['amount.currencyCode', 'amount.value']],
  ['POST', '/terminal-sessions', UNLINKED_REFUND_BODY, ['amount.currencyCode', 'software-house-id'], { 'software-house-id': null }],
])('one answer names all violations: %s %s %j', async (method, path, body, members, headers = {}) => {
  const { status, text } = await testEnvironment.sendRequest(method, path, { body, headers });
  expect(status).toBe(400);
  expect(Object.keys(parseProblem({ status, text, headers: {} }).errors).sort()).toEqual(members);
});
