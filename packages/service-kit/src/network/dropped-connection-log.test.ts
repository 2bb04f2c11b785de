import { expect, test } from '@jest/globals';
import { DroppedConnectionLog } from './dropped-connection-log.js';
import { createLog } from '../telemetry/log.js';

test('each address with dropped connections is logged at most once a minute', () => {
  const lines: unknown[] = [];
  const log = createLog({ app: 'test', level: 'info', write: (line) => lines.push(JSON.parse(line)) });
  let now = 0;
  const dropped = new DroppedConnectionLog(log, () => now);
  const linesAt = (atMs: number, address: string): number => {
    now = atMs;
    const before = lines.length;
    dropped.logDrop(address, 3);
    return lines.length - before;
  };
  expect(linesAt(0, '192.0.2.1')).toBe(1);
  expect(linesAt(1, '192.0.2.1')).toBe(0);
  expect(linesAt(30_000, '2001:db8:0:1')).toBe(1);
  expect(linesAt(59_999, '192.0.2.1')).toBe(0);
  expect(linesAt(60_000, '192.0.2.1')).toBe(1);
  expect(linesAt(60_001, '2001:db8:0:1')).toBe(0);
  expect(linesAt(90_000, '2001:db8:0:1')).toBe(1);
  expect(linesAt(119_999, '192.0.2.1')).toBe(0);
  expect(lines[0]).toMatchObject({
    ...{ event: 'connections.dropped', level: 40, address: '192.0.2.1' },
    ...{ limit: 3, setting: 'CONNECTIONS_PER_ADDRESS' },
  });
});
