import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiWorld, GBP_20, problemOf } from './testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const XTS = { value: 100, currencyCode: 'XTS' };
const PAST = '2020-01-01T00:00:00Z';
const INTENT = { amount: GBP_20, reference: 'r' };
const SETUP = { merchantInitiatedTransactionType: 'NoShow', terms: 't', reference: 'r', paymentMethods: ['Card'] };
const HOOK = { url: 'https://hooks.example/x', events: ['payment_intent.created'] };
const AUTH = { authType: 'basic', basic: { username: 'u', password: 'p' } };
const REST = { url: 'https://epos.example/pos', auth: AUTH, capabilities: [] };
const UNLINKED = { terminalId: 'tm', sessionType: 'UnlinkedRefund', amount: XTS };
const METADATA_IP = 'https://169.254.169.254/x';
const UNREADABLE = { version: null };

// prettier-ignore
test.each<[string, string, unknown, readonly string[], Record<string, string | null>?]>([
  ['POST', '/payment-intents', { ...INTENT, reference: '', amount: XTS }, ['amount.currencyCode', 'reference']],
  ['POST', '/payment-intents', { amount: { value: 'x', currencyCode: 'XTS' }, reference: 'r' }, ['amount.currencyCode', 'amount.value']],
  ['POST', '/payment-intents', { ...INTENT, reference: 5, expireAt: PAST }, ['expireAt', 'reference']],
  ['POST', '/payment-intents', { ...INTENT, reference: '', captureMode: 'Manual', autoExpireIn: '00:00:01' }, ['autoExpireIn', 'reference']],
  ['POST', '/payment-intents', { ...INTENT, reference: '', captureMode: 'Manual', setupIntentId: 'si_sandbox_AAAAAAAAAAAAAAAAAAAAAA' }, ['captureMode', 'reference']],
  ['POST', '/payment-intents', { ...INTENT, reference: '', tipsAmount: { value: 1, currencyCode: 'EUR' } }, ['reference', 'tipsAmount.currencyCode']],
  ['POST', '/payment-intents', { ...INTENT, itemLines: [{ amountTotal: { value: 'x', currencyCode: 'EUR' } }, { amountTotal: { value: 1, currencyCode: 'EUR' } }] }, ['itemLines[0].amountTotal.currencyCode', 'itemLines[0].amountTotal.value', 'itemLines[1].amountTotal.currencyCode']],
  ['POST', '/payment-intents', { ...INTENT, reference: '', amount: { value: 999_999_999_999, currencyCode: 'GBP' }, tipsAmount: { value: 1, currencyCode: 'GBP' } }, ['amount.value', 'reference']],
  ['POST', '/payment-intents', { ...INTENT, amount: XTS, customer: { id: 'nobody' } }, ['amount.currencyCode', 'customer.id']],
  ['POST', '/payment-intents', { ...INTENT, amount: XTS, setupIntentId: 'none' }, ['amount.currencyCode', 'setupIntentId']],
  ['POST', '/payment-intents', { ...INTENT, amount: XTS, expireAt: PAST }, ['amount.currencyCode', 'expireAt', 'version'], UNREADABLE],
  ['POST', '/setup-intents', { ...SETUP, terms: '', intendedAmount: XTS }, ['intendedAmount.currencyCode', 'terms']],
  ['POST', '/setup-intents', { ...SETUP, reference: '', expireAt: PAST, intendedAmount: XTS }, ['expireAt', 'intendedAmount.currencyCode', 'reference']],
  ['POST', '/setup-intents', { ...SETUP, intendedAmount: XTS, customer: { id: 'nobody' } }, ['customer.id', 'intendedAmount.currencyCode']],
  ['POST', '/webhooks', { ...HOOK, url: METADATA_IP, events: ['nothing'] }, ['events', 'url']],
  ['POST', '/webhooks', { ...HOOK, url: METADATA_IP }, ['url', 'version'], UNREADABLE],
  ['PATCH', '/webhooks/wh', { url: METADATA_IP, events: [] }, ['events', 'url']],
  ['PUT', '/epos/integrations/rest', { ...REST, url: METADATA_IP, capabilities: [{ name: 'x', version: 'v1' }] }, ['capabilities[0].name', 'url']],
  ['PUT', '/epos/integrations/rest', { ...REST, url: 'http://epos.example', auth: {} }, ['auth.authType', 'auth.basic', 'url']],
  ['PUT', '/epos/integrations/grpc', { url: 'https://169.254.169.254', auth: {} }, ['auth.authType', 'auth.basic', 'url']],
  ['POST', '/terminal-sessions', { ...UNLINKED, terminalId: '' }, ['amount.currencyCode', 'terminalId']],
  ['POST', '/terminal-sessions', { ...UNLINKED, amount: { value: 0, currencyCode: 'XTS' } }, ['amount.currencyCode', 'amount.value']],
  ['POST', '/terminal-sessions', UNLINKED, ['amount.currencyCode', 'software-house-id'], { 'software-house-id': null }],
])('one answer names all faults: %s %s %j', async (method, path, body, members, headers = {}) => {
  const { status, text } = await world.send(method, path, { body, headers });
  expect(status).toBe(400);
  expect(Object.keys(problemOf({ status, text, headers: {} }).errors).sort()).toEqual(members);
});
