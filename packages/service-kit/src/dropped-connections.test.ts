import { expect, test } from '@jest/globals';
import { DroppedConnections } from './dropped-connections.js';
import { openLog } from './log.js';

test('an address whose connections are dropped is told of once a minute, each on its own', () => {
  const told: unknown[] = [];
  const log = openLog({ app: 'test', level: 'info', write: (line) => told.push(JSON.parse(line)) });
  let now = 0;
  const dropped = new DroppedConnections(log, () => now);
  const toldAt = (atMs: number, address: string): number => {
    now = atMs;
    const before = told.length;
    dropped.tell(address, 3);
    return told.length - before;
  };
  expect(toldAt(0, '192.0.2.1')).toBe(1);
  expect(toldAt(1, '192.0.2.1')).toBe(0);
  expect(toldAt(30_000, '2001:db8:0:1')).toBe(1);
  expect(toldAt(59_999, '192.0.2.1')).toBe(0);
  expect(toldAt(60_000, '192.0.2.1')).toBe(1);
  expect(toldAt(60_001, '2001:db8:0:1')).toBe(0);
  expect(toldAt(90_000, '2001:db8:0:1')).toBe(1);
  expect(toldAt(119_999, '192.0.2.1')).toBe(0);
  expect(told[0]).toMatchObject({
    ...{ event: 'connections.dropped', level: 40, address: '192.0.2.1' },
    ...{ limit: 3, setting: 'CONNECTIONS_PER_ADDRESS' },
  });
});
