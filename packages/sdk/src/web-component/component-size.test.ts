import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

/** What a page loads beside the frame of the vault, which has its own limit of 12 kB. */
const COMPONENT_BYTES_MAX = 15_000;

const BUNDLE = readFileSync(new URL('../../dist/payment-component.min.js', import.meta.url), 'utf8');

test('the component is one file of at most 15 kB, compressed, that imports nothing', () => {
  expect(gzipSync(BUNDLE, { level: 9 }).length).toBeLessThanOrEqual(COMPONENT_BYTES_MAX);
  expect(BUNDLE).not.toMatch(/\bimport\s*[('"{]|\bfrom\s*['"]/);
});

test('no text becomes HTML or a script', () => {
  expect(BUNDLE).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc/);
});
