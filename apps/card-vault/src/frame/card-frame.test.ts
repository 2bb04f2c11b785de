import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createCardFrames } from './card-frame.js';

const CHECKOUT = 'https://pay.example';
const DEVICE_DATA_URL = 'http://127.0.0.1:3005/acquirer/device-data';
/** With the 28 kB of the hosted page, at most 40 kB. */
const FRAME_BYTES_MAX = 12_000;

function readFrame(path: string, checkoutOrigins: readonly string[] = [CHECKOUT, 'http://127.0.0.1:3006']) {
  const frame = createCardFrames({ checkoutOrigins, deviceDataUrl: DEVICE_DATA_URL }).find(
    (each) => each.path === `/client/frame${path}`,
  );
  return { policy: frame?.headers['content-security-policy'] ?? '', text: String(frame?.text), frame };
}

test.each(['', '/saved-card'])(
  'only payment pages may show the fields%s, and only the frame’s own script runs',
  (path) => {
    const { policy, text } = readFrame(path);
    const rules = Object.fromEntries(
      policy.split('; ').map((rule): [string, string[]] => {
        const [name = '', ...values] = rule.split(' ');
        return [name, values];
      }),
    );
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hashOf = (part: string) => `'sha256-${createHash('sha256').update(part).digest('base64')}'`;
    expect(rules).toEqual({
      'default-src': ["'none'"],
      'script-src': [hashOf(script)],
      'style-src': [hashOf(style)],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      // A frame inside this frame sends the payer's device data to the issuer.
      'frame-src': ['http://127.0.0.1:3005'],
      'form-action': ['http://127.0.0.1:3005'],
      'frame-ancestors': [CHECKOUT, 'http://127.0.0.1:3006'],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    });
    expect(text.replace(script, '')).not.toMatch(/(src|href)=|\son\w+=|\sstyle=/);
    expect(script).not.toMatch(/<\/|innerHTML|document\.write|\beval\(/);
  },
);

test('the frame runs the script that the inventory of the build authorises', () => {
  const folder = new URL('../../dist/card-fields/', import.meta.url);
  const [script] = JSON.parse(readFileSync(new URL('scripts.json', folder), 'utf8')) as Record<string, string>[];
  const hash = createHash('sha384')
    .update(readFileSync(new URL('frame.js', folder)))
    .digest('base64');
  expect(script).toMatchObject({
    file: 'frame.js',
    integrity: `sha384-${hash}`,
    purpose: expect.stringMatching(/card/),
  });
});

test('no page may embed the frame of a vault without configured payment pages', () => {
  expect(readFrame('', []).policy).toContain("frame-ancestors 'none'");
});

test('the frame accepts messages of the configured pages only, and names the path that it posts to', () => {
  const settings = /data-settings="([^"]*)"/.exec(readFrame('/saved-card').text)?.[1]?.replaceAll('&quot;', '"');
  expect(JSON.parse(settings ?? '')).toEqual({
    parents: [CHECKOUT, 'http://127.0.0.1:3006'],
    target: '/client/payments/saved-card',
    hasWholeCard: false,
    paysOnlyIntentOfAddress: false,
  });
});

test('the frame is one request of at most 12 kB, compressed', () => {
  const { text, frame } = readFrame('');
  expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(FRAME_BYTES_MAX);
  expect(Object.keys(frame?.encodings ?? {})).toEqual(['br', 'gzip']);
});
