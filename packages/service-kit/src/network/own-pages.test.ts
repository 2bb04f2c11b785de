import { expect, test } from '@jest/globals';
import { requireOwnHost, requireOwnPage } from './own-pages.js';

test.each([
  'localhost',
  'localhost:3005',
  'LOCALHOST.:3005',
  'machine.localhost:3005',
  '127.0.0.1:3005',
  '[::1]:3005',
  '10.0.0.7',
  'sandbox:3005',
])('a server called sandbox serves the host %s', (host) => {
  expect(() => requireOwnHost({ host }, ['sandbox'])).not.toThrow();
});

test.each([
  undefined,
  '',
  'evil.example:3005',
  'localhost.evil.example',
  'evil-localhost',
  '127.0.0.1.evil.example',
  'sandbox.evil.example',
  'evil.example/@localhost',
  'evil.example@localhost',
  'localhost evil',
])('a server called sandbox refuses the host %j', (host) => {
  expect(() => requireOwnHost({ host }, ['sandbox'])).toThrow('does not have the name');
});

const host = 'localhost:3005';
test.each([
  ['a program', { host }],
  ['an own page', { host, 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3005' }],
  ['an own page over TLS', { host, origin: 'https://localhost:3005' }],
  ['an address that a person enters', { host, 'sec-fetch-site': 'none' }],
])('%s may call', (_, headers) => {
  expect(() => requireOwnPage(headers)).not.toThrow();
});

test.each([
  ['a page of another site', { host, 'sec-fetch-site': 'cross-site' }],
  ['a page of another port', { host, 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
  ['a page of another origin in an old browser', { host, origin: 'https://evil.example' }],
  ['a page without an origin', { host, origin: 'null' }],
])('%s may not call', (_, headers) => {
  expect(() => requireOwnPage(headers)).toThrow('own pages');
});
