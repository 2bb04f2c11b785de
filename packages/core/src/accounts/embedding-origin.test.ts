import { describe, expect, test } from '@jest/globals';
import { isEmbeddingOrigin } from './embedding-origin.js';

describe('pages that may embed the card fields', () => {
  test.each(['https://shop.example', 'https://pay.shop-1.example:8443', 'https://xn--caf-dma.example'])(
    '%s may be registered in both environments',
    (origin) => {
      expect([isEmbeddingOrigin(origin, 'sandbox'), isEmbeddingOrigin(origin, 'production')]).toEqual([true, true]);
    },
  );

  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'https://localhost'])(
    '%s may be registered in the sandbox only',
    (origin) => {
      expect([isEmbeddingOrigin(origin, 'sandbox'), isEmbeddingOrigin(origin, 'production')]).toEqual([true, false]);
    },
  );

  test.each([
    ...['', '*', 'null', 'https:', 'https://', 'https://*.example', 'https://*', '//shop.example', 'shop.example'],
    ...['http://shop.example', 'https://shop.example/', 'https://shop.example/pay', 'https://shop.example?x'],
    ...['https://shop.example:443', 'https://shop.example:0', 'https://shop.example:70000', 'https://Shop.example'],
    ...['https://user@shop.example', 'https://shop.example ', 'https://shop.example; script-src *', 'https://shop'],
    ...[
      "https://shop.example 'self'",
      'https://shop.example\n',
      'https://192.0.2.7',
      'https://[::1]',
      'data:text/html,x',
    ],
    ...['http://localhost.evil.example', 'http://127.0.0.1.evil.example', 'javascript:alert(1)', 'https://-a.example'],
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
  ])('%j may not be registered', (origin) => {
    expect([isEmbeddingOrigin(origin, 'sandbox'), isEmbeddingOrigin(origin, 'production')]).toEqual([false, false]);
  });
});
