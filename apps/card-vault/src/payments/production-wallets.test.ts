import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CardVaultServer } from '../vault-server.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';

let testEnvironment: VaultTestEnvironment;
/** A vault whose production has an acquirer, which decrypts tokens. */
let vault: CardVaultServer;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  vault = await testEnvironment.startAnother({ ACQUIRER_ADDRESS_PRODUCTION: testEnvironment.outside.address });
});
afterAll(() => testEnvironment.close());

const CARD = { cardNumber: '4456530000091014', expiryDate: '12/32', cV2: '020' };
/** With a member by which the scan of the log recognises the token of a wallet. */
const createToken = (content: object): string =>
  Buffer.from(JSON.stringify({ ...content, header: { ephemeralPublicKey: 'MFkwEwYHKoZIzj0' } })).toString('base64url');

const createPayable = () => testEnvironment.createPayable({ paymentMethods: ['Wallet'], environment: 'production' });

test('the acquirer decrypts the token of a wallet, and shows its card', async () => {
  const payable = await createPayable();
  const token = createToken(CARD);
  const body = { wallet: 'APPLE_PAY', token };
  const answer = await testEnvironment.postJson('/client/payments/wallet', body, { ...payable, at: vault });
  expect([answer.status, answer.body['statusCode'], answer.body['message']]).toEqual([200, 0, 'DEPOSITED']);
  const view = await testEnvironment.database.read(payable.scope, (reader) =>
    testEnvironment.intents.get(reader, payable.id, { returnCanceled: false }),
  );
  expect(view.intent.paymentDetails?.card).toMatchObject({ cardNumber: '44565300****1014', cardType: 'VISA' });
  // The token is nowhere but in the call: neither in a log line nor in a relation.
  expect(testEnvironment.logLines.join('\n')).not.toContain(token);
  const tables = await testEnvironment.queryRows<{ dump: string }>(
    `select coalesce(string_agg(a::text, ' '), '') as dump from acquirer_calls a where account_id = $1`,
    [payable.scope.accountId],
  );
  const attempts = await testEnvironment.queryRows<{ dump: string }>(
    `select coalesce(string_agg(a::text, ' '), '') as dump from online_attempts a where account_id = $1`,
    [payable.scope.accountId],
  );
  expect([...tables, ...attempts].some(({ dump }) => dump.includes(token))).toBe(false);
});

test.each([
  ['no token', 'not a token of any wallet'],
  ['a token for somebody else', createToken({ data: 'sealed for another merchant' })],
])('what cannot be decrypted fails, and takes no money: %s', async (_, token) => {
  const payable = await createPayable();
  const body = { wallet: 'GOOGLE_PAY', token };
  const answer = await testEnvironment.postJson('/client/payments/wallet', body, { ...payable, at: vault });
  expect([answer.status, answer.body['statusCode']]).toEqual([200, 30]);
  expect((await testEnvironment.readState(payable)).split(' ')[0]).toBe('Created');
});

test('a wallet that the adapter does not decrypt is refused before the token is sent', async () => {
  testEnvironment.outside.acquirerSimulator.capabilities.limit({ lacks: [], wallets: ['GOOGLE_PAY'] });
  await testEnvironment.queryRows('delete from acquirers returning name');
  const limited = await testEnvironment.startAnother({ ACQUIRER_ADDRESS_PRODUCTION: testEnvironment.outside.address });
  const payable = await createPayable();
  const body = { wallet: 'APPLE_PAY', token: createToken(CARD) };
  const answer = await testEnvironment.postJson('/client/payments/wallet', body, { ...payable, at: limited });
  expect(answer).toMatchObject({ status: 409, body: { reason: 'acquirer_lacks_capability', capability: 'wallets' } });
  testEnvironment.outside.acquirerSimulator.capabilities.reset();
  const second = await testEnvironment.postJson('/client/payments/wallet', body, { ...payable, at: vault });
  expect(second.body['statusCode']).toBe(0);
});
