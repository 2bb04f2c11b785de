import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  beginTrace,
  continueOrBeginTrace,
  type EndedSpan,
  endSpan,
  runSpan,
  runUnitOfWork,
  setSpanSink,
  startChild,
} from './span.js';
import { continueTrace, currentTrace, runInTrace } from './trace.js';

const spans: EndedSpan[] = [];

function collectSpans(sampleRatio = 1): void {
  setSpanSink({ sampleRatio, record: (span) => spans.push(span) });
}

beforeEach(() => {
  spans.length = 0;
  collectSpans();
});
afterEach(() => setSpanSink(null));

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a span of work is a child of the running one, and its own work runs in it', async () => {
  const trace = continueTrace(PARENT);
  const inner = await runInTrace(trace, () =>
    runSpan({ name: 'outer', kind: 'client' }, () =>
      runSpan({ name: 'inner', kind: 'internal' }, async () => currentTrace()),
    ),
  );
  endSpan({ name: 'request', kind: 'server' }, { trace, startedAtMs: performance.now() });
  const parents = spans.map(({ name, trace: { traceId, parentId, spanId } }) => ({ name, traceId, parentId, spanId }));
  const [first, second, third] = parents;
  expect(parents.map(({ name }) => name)).toEqual(['inner', 'outer', 'request']);
  expect(new Set(parents.map(({ traceId }) => traceId))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']));
  expect(first?.parentId).toBe(second?.spanId);
  expect(first?.spanId).toBe(inner?.spanId);
  expect(second?.parentId).toBe(third?.spanId);
  expect(third?.parentId).toBe('00f067aa0ba902b7');
});

test('work that throws ends a failed span and throws the same', async () => {
  const error = new Error('broken');
  const failing = runInTrace(continueTrace(), () =>
    runSpan({ name: 'x', kind: 'internal' }, () => Promise.reject(error)),
  );
  await expect(failing).rejects.toBe(error);
  expect(spans).toMatchObject([{ name: 'x', hasFailed: true }]);
});

test('the caller decides whether its trace is exported', async () => {
  const unsampled = continueOrBeginTrace(PARENT.replace(/01$/, '00'));
  await runInTrace(unsampled, () => runSpan({ name: 'x', kind: 'internal' }, () => Promise.resolve()));
  endSpan({ name: 'y', kind: 'server' }, { trace: unsampled, startedAtMs: 0 });
  expect(spans).toEqual([]);
});

test('of the traces that begin here the share of the setting is exported', () => {
  for (const [ratio, low, high] of [
    [0, 0, 0],
    [0.2, 120, 280],
    [1, 1_000, 1_000],
  ] as const) {
    collectSpans(ratio);
    const sampled = Array.from({ length: 1_000 }, () => beginTrace()).filter(({ isSampled }) => isSampled).length;
    expect(sampled).toBeGreaterThanOrEqual(low);
    expect(sampled).toBeLessThanOrEqual(high);
  }
});

test('work without a caller has a trace of its own; with one it is a part of it', async () => {
  const own = await runUnitOfWork({ name: 'timer', kind: 'internal' }, async () => currentTrace()?.spanId);
  expect(spans[0]?.trace).toMatchObject({ parentId: null, spanId: own });
  const trace = continueTrace(PARENT);
  await runInTrace(trace, () => runUnitOfWork({ name: 'timer', kind: 'internal' }, () => Promise.resolve()));
  expect(spans[1]?.trace.parentId).toBe(trace.spanId);
});

test('without an export work runs in the trace that it had', async () => {
  setSpanSink(null);
  const trace = continueTrace();
  expect(await runInTrace(trace, () => runSpan({ name: 'x', kind: 'client' }, async () => currentTrace()))).toBe(trace);
  expect(runInTrace(trace, startChild)).toBeNull();
  endSpan({ name: 'x', kind: 'server' }, { trace, startedAtMs: 0 });
  expect(spans).toEqual([]);
});
