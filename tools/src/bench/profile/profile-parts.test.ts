import { expect, test } from '@jest/globals';
import { listProfileParts } from './profile-parts.js';

const frame = (functionName: string, url = '') => ({ functionName, url });
const FILES = 'file:///srv/pos';

test('busy time is divided among packages, idle time is left out, and native code counts as its caller', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 5, 9, 10] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('(garbage collector)') },
      { id: 4, callFrame: frame('(program)') },
      { id: 5, callFrame: frame('query', `${FILES}/packages/store/dist/database/batch.js`), children: [6, 8] },
      {
        id: 6,
        callFrame: frame('send', `${FILES}/node_modules/.pnpm/pg@8.1/node_modules/pg/lib/client.js`),
        children: [7],
      },
      { id: 7, callFrame: frame('writeUtf8String') },
      { id: 8, callFrame: frame('inject', `${FILES}/node_modules/.pnpm/a/node_modules/@nestjs/core/injector.js`) },
      { id: 9, callFrame: frame('onread', 'node:internal/stream_base_commons') },
      { id: 10, callFrame: frame('Session', 'node:inspector'), children: [11] },
      { id: 11, callFrame: frame('dispatch') },
    ],
    samples: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    timeDeltas: [900, 10, 5, 30, 20, 25, 6, 4, 50, 50],
  };
  expect(listProfileParts(profile)).toEqual([
    { part: 'pg', share: 0.45 },
    { part: '@pos/store', share: 0.3 },
    { part: 'garbage collection', share: 0.1 },
    { part: '@nestjs/core', share: 0.06 },
    { part: 'Node: system calls and native code', share: 0.05 },
    { part: 'Node: writes to sockets', share: 0.04 },
  ]);
});

test('a process that did nothing has no parts', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2] },
    { id: 2, callFrame: frame('(idle)') },
  ];
  expect(listProfileParts({ nodes, samples: [2, 2], timeDeltas: [10, 10] })).toEqual([]);
});

test('a native function without a caller counts as native code', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2] },
    { id: 2, callFrame: frame('processTicks') },
  ];
  expect(listProfileParts({ nodes, samples: [2], timeDeltas: [10] })).toEqual([
    { part: 'Node: system calls and native code', share: 1 },
  ]);
});
