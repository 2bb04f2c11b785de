import { expect, test } from '@jest/globals';
import { continueTrace, currentTrace, runInTrace, formatTraceparent } from './trace.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a call continues its caller’s trace in a span of its own', () => {
  const trace = continueTrace(`00-${TRACE}-${SPAN}-01`);
  expect(trace).toMatchObject({ traceId: TRACE, parentId: SPAN, isSampled: true });
  expect(trace.spanId).not.toBe(SPAN);
  expect(formatTraceparent(trace)).toBe(`00-${TRACE}-${trace.spanId}-01`);
});

test('a trace that is not sampled stays so', () => {
  expect(formatTraceparent(continueTrace(`00-${TRACE}-${SPAN}-00`))).toMatch(/-00$/);
});

test('a later version with more fields is read', () => {
  expect(continueTrace(`01-${TRACE}-${SPAN}-01-more`).traceId).toBe(TRACE);
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
  ['an injection', `00-${TRACE}-${SPAN}-01\r\nx: y`],
])('%s begins a new trace', (_, header) => {
  const trace = continueTrace(header);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.traceId).not.toBe(TRACE);
  expect(trace.parentId).toBeNull();
});

test('the trace follows the work across awaits and not beyond it', async () => {
  const trace = continueTrace();
  const received = await runInTrace(trace, async () => {
    await Promise.resolve();
    return currentTrace();
  });
  expect(received).toBe(trace);
  expect(currentTrace()).toBeNull();
});
