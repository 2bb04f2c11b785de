import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { REPOSITORY } from '../repository/repository.js';
import { listEmbeddingFiles } from './embedding-files.js';

interface Money {
  readonly value: number;
  readonly currencyCode: string;
}
type FindWallets = (
  googlePay: object,
  request: object,
) => Promise<Record<string, (intent: { readonly totalAmount: Money }) => Promise<string | null>>>;

let folder: string;
let findWallets: FindWallets;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'wallets-'));
  const file = path.join(folder, 'wallets.mjs');
  const text = listEmbeddingFiles().find(({ name }) => name === 'wallets.js')?.text ?? '';
  // The shop serves the component, which needs a page. The function is the same.
  const served = pathToFileURL(path.join(REPOSITORY, 'packages/sdk/dist/money/money-text.js')).href;
  await writeFile(file, text.replace('/payment-component.js', served));
  ({ findWallets } = (await import(pathToFileURL(file).href)) as { findWallets: FindWallets });
});
afterAll(() => rm(folder, { recursive: true }));

const REQUEST = { apiVersion: 2, merchantInfo: { merchantName: 'Harbour Pottery' } };
const TOKEN = { paymentMethodData: { tokenizationData: { token: 'token of the wallet' } } };

/** The client of Google's script on a device, and the requests that it gets. */
function createGooglePay(load: () => Promise<object>, result = true) {
  const requests: object[] = [];
  return {
    requests,
    isReadyToPay: () => Promise.resolve({ result }),
    loadPaymentData: (request: object) => (requests.push(request), load()),
  };
}

test.each([
  [{ value: 1250, currencyCode: 'GBP' }, '12.50'],
  [{ value: 5, currencyCode: 'EUR' }, '0.05'],
  [{ value: 1250, currencyCode: 'JPY' }, '1250'],
  [{ value: 125_000, currencyCode: 'HUF' }, '1250.00'],
  [{ value: 1250, currencyCode: 'KWD' }, '1.250'],
])('the wallet of the page asks for %j as %s, and gives its token', async (totalAmount, totalPrice) => {
  const googlePay = createGooglePay(() => Promise.resolve(TOKEN));
  const { GOOGLE_PAY: request } = await findWallets(googlePay, REQUEST);
  expect(await request!({ totalAmount })).toBe('token of the wallet');
  const { currencyCode } = totalAmount;
  expect(googlePay.requests).toEqual([
    { ...REQUEST, transactionInfo: { totalPriceStatus: 'FINAL', totalPrice, currencyCode } },
  ]);
});

test('a device without the wallet has none to offer', async () => {
  expect(
    await findWallets(
      createGooglePay(() => Promise.resolve(TOKEN), false),
      REQUEST,
    ),
  ).toEqual({});
});

test('a payer who closes the wallet gives no token; a wallet that fails is no closed one', async () => {
  const amount = { totalAmount: { value: 1250, currencyCode: 'GBP' } };
  const failWith = (statusCode: string) => Promise.reject(Object.assign(new Error(statusCode), { statusCode }));
  const closed = await findWallets(
    createGooglePay(() => failWith('CANCELED')),
    REQUEST,
  );
  expect(await closed['GOOGLE_PAY']!(amount)).toBeNull();
  const failing = await findWallets(
    createGooglePay(() => failWith('DEVELOPER_ERROR')),
    REQUEST,
  );
  await expect(failing['GOOGLE_PAY']!(amount)).rejects.toThrow('DEVELOPER_ERROR');
});
