import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { insertMeasured } from '../bench-report.js';
import { formatPeersReport, listPeerFailures, type PeerFindings } from './peers-report.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/contribute/performance.md');
const ours = {
  ...{ inFlight: 16, perSecond: 250, p50Ms: 62.84, p99Ms: 99.7, failures: 0 },
  processor: { apps: { api: 2.5, worker: 0.25 }, database: 1.783 },
};
const shop = { ...ours, perSecond: 25, p50Ms: 640, p99Ms: 912.2, processor: { apps: { shop: 29.2 }, database: 21 } };
const compared = { inFlight: 16, ours, floor: shop, ratio: 10, ratios: [9.1, 10, 12.34] };

test('a run replaces the table of peers of the performance page, and nothing else of it', () => {
  const page = readFileSync(PAGE, 'utf8');
  const table = formatPeersReport({
    comparisons: { 'an intent against an order': [compared, { ...compared, inFlight: 64 }] },
    leftOut: ['etcd is not installed here'],
    load: 1.26,
  });
  const written = insertMeasured(page, table, 'peers');
  expect(written).toContain('at an average load of 1.3.');
  expect(written).toContain(
    '| an intent against an order | 16 | 250 | 62.8 | 99.7 | 2.75 | 1.78 | 25 | 640.0 | 912.2 | 29.20 | 21.00 | 10.00 | 9.10, 10.00, 12.34 |',
  );
  expect(written).toContain('| an intent against an order | 64 | 250 |');
  expect(written).toContain('Left out: etcd is not installed here.');
  expect(insertMeasured(written, 'x', 'peers')).toBe(insertMeasured(page, 'x', 'peers'));
});

test.each<[string, PeerFindings['comparisons'], string[]]>([
  ['each peer that was measured without a failure', { shop: [compared] }, []],
  ['no peer', {}, ['no peer was measured']],
  [
    'a peer whose rounds failed',
    { shop: [compared, { ...compared, inFlight: 64, floor: { ...shop, failures: 3 } }] },
    ['shop: 3 rounds of the peer failed at 64 in flight'],
  ],
  [
    'a service whose rounds failed',
    { shop: [{ ...compared, ours: { ...ours, failures: 1 } }] },
    ['shop: 1 rounds of ours failed at 16 in flight'],
  ],
])('a comparison of %s is reported', (_, comparisons, failures) => {
  expect(listPeerFailures({ comparisons, leftOut: [], load: 1 })).toEqual(failures);
});
