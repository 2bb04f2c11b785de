import { expect, test } from '@jest/globals';
import { TEST_CARDS } from '@pos/sandbox/cards';
import { createWalletPage } from './wallet-page.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

function renderSheet(wallet: string) {
  return createWalletPage(() => NOW).renderForm(new URLSearchParams({ wallet }));
}

test('a simulated wallet has every test card, and gives a token that names it and is good for years', () => {
  const { text } = renderSheet('APPLE_PAY');
  const tokens = [...text.matchAll(/<button class="card" value="([\w-]+)"/g)].map(([, token = '']) => token);
  const contents = tokens.map((token) => JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown);
  expect(contents).toEqual(
    TEST_CARDS.map(({ number, cv2 }) => ({ cardNumber: number, expiryDate: '12/46', cV2: cv2 })),
  );
  expect(text).toContain('The simulated Apple Pay');
});

test.each(['<script>alert(1)</script>', '', 'apple_pay', 'toString'])(
  '%p is no wallet, and is not written back',
  (wallet) => {
    const { text, headers } = renderSheet(wallet);
    expect(text).toContain('The simulated wallet');
    expect(text).not.toContain('alert(1)');
    expect(headers['content-security-policy']).toContain("form-action 'none'");
  },
);
