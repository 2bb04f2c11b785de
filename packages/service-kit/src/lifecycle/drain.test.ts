import { describe, expect, test } from '@jest/globals';
import { drainOnSignal, type DrainStep, type LameDuck } from './drain.js';
import { createLog } from '../telemetry/log.js';

function startDrain(steps: readonly DrainStep[], limitMs = 5_000, lameDuck: LameDuck | null = null) {
  const exits: number[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    app: 'test',
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const drain = drainOnSignal({ log, steps, limitMs, lameDuck, exit: (code) => exits.push(code) });
  return { drain, exits, lines };
}

test('steps stop one after another, in the given order, and the process exits with 0', async () => {
  const order: string[] = [];
  const slow = async (): Promise<void> => {
    order.push('loop stopping');
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push('loop stopped');
  };
  const { drain, exits } = startDrain([
    { name: 'loop', stop: slow },
    { name: 'database', stop: () => void order.push('database closed') },
  ]);
  await drain('test');
  expect(order).toEqual(['loop stopping', 'loop stopped', 'database closed']);
  expect(exits).toEqual([0]);
});

test('a step that never ends is abandoned at the limit, and the process exits with 1', async () => {
  const { drain, exits, lines } = startDrain([{ name: 'stuck', stop: () => new Promise(() => undefined) }], 30);
  await drain('test');
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toMatchObject({ event: 'process.drained', unfinished: ['stuck'] });
});

test('a failed step does not keep the others from stopping', async () => {
  let isClosed = false;
  const { drain, exits, lines } = startDrain([
    { name: 'broken', stop: () => Promise.reject(new Error('no')) },
    { name: 'database', stop: () => void (isClosed = true) },
  ]);
  await drain('test');
  expect(isClosed).toBe(true);
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toMatchObject({ failed: ['broken'], finished: ['database'], unfinished: [] });
});

test('further signals neither drain again nor end the process', async () => {
  let stopCount = 0;
  let release = (): void => undefined;
  const pendingStop = new Promise<void>((resolve) => (release = resolve));
  const stop = async (): Promise<void> => {
    stopCount += 1;
    await pendingStop;
  };
  const { exits } = startDrain([{ name: 'loop', stop }]);
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) expect(process.emit(signal)).toBe(true);
  expect([stopCount, exits]).toEqual([1, []]);
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([stopCount, exits, process.listenerCount('SIGTERM')]).toEqual([1, [0], 0]);
});

test('a step that is added after the start is stopped too', async () => {
  const steps: DrainStep[] = [];
  const { drain, exits } = startDrain(steps);
  let isStopped = false;
  steps.unshift({ name: 'late', stop: () => void (isStopped = true) });
  await drain('test');
  expect([isStopped, exits]).toEqual([true, [0]]);
});

describe('the end of a process with ports', () => {
  const startLameDuck = (timeMs: number) => {
    const order: string[] = [];
    const stop = (): void => void order.push('closed');
    const announce = (): void => void order.push('announced');
    return { order, ...startDrain([{ name: 'port', stop }], 5_000, { announce, timeMs }) };
  };

  test('is announced at SIGTERM, and the ports close after the lame-duck time', async () => {
    const { drain, order, lines } = startLameDuck(50);
    const draining = drain('SIGTERM');
    await Promise.resolve();
    expect(order).toEqual(['announced']);
    await draining;
    expect(order).toEqual(['announced', 'closed']);
    expect(lines.map(({ event }) => event)).toEqual(['process.shutdown_announced', 'process.drained']);
  });

  test.each(['SIGINT', 'a failure'])('is announced and does not wait after %s', async (reason) => {
    const { drain, order, lines } = startLameDuck(600_000);
    await drain(reason);
    expect(order).toEqual(['announced', 'closed']);
    expect(lines.map(({ event }) => event)).toEqual(['process.drained']);
  });
});
