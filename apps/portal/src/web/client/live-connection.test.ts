import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LiveConnection } from './live-connection.js';

/** A source as browsers have it; the test sets its state and reports errors. */
class SimulatedSource {
  onmessage: EventSource['onmessage'] = null;
  onerror: EventSource['onerror'] = null;
  readyState = 1;
  isClosed = false;

  close(): void {
    this.isClosed = true;
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.onerror?.call({} as EventSource, new Event('error'));
  }
}

const [CONNECTING, CLOSED] = [0, 2];
const AFTER_ANY_WAIT_MS = 60_000;
let sources: SimulatedSource[];
let received: string[];
let refusals: number;
let connection: LiveConnection;

beforeEach(() => {
  jest.useFakeTimers();
  [sources, received, refusals] = [[], [], 0];
  connection = new LiveConnection({
    openSource: () => {
      const source = new SimulatedSource();
      sources.push(source);
      return source;
    },
    onEvent: (data) => received.push(data),
    onRefused: () => {
      refusals += 1;
    },
  });
});
afterEach(() => {
  connection.close();
  jest.useRealTimers();
});

test('a refused stream is reported, since its session may have ended', () => {
  sources[0]?.fail(CLOSED);
  expect(refusals).toBe(1);
});

test('a lost connection is no refusal: the browser reconnects', () => {
  sources[0]?.fail(CONNECTING);
  jest.advanceTimersByTime(AFTER_ANY_WAIT_MS);
  expect({ refusals, sources: sources.length }).toEqual({ refusals: 0, sources: 1 });
});

test('a refused stream is opened again, and its events are received', () => {
  sources[0]?.fail(CLOSED);
  expect(sources).toHaveLength(1);
  jest.advanceTimersByTime(AFTER_ANY_WAIT_MS);
  expect(sources).toHaveLength(2);
  sources[1]?.onmessage?.call({} as EventSource, new MessageEvent('message', { data: 'an event' }));
  expect(received).toEqual(['an event']);
});

test('a page that was left opens no stream, also after a refusal', () => {
  sources[0]?.fail(CLOSED);
  connection.close();
  jest.advanceTimersByTime(AFTER_ANY_WAIT_MS);
  expect(sources).toHaveLength(1);
});

test('a page that was left closes the stream that was opened last', () => {
  sources[0]?.fail(CLOSED);
  jest.advanceTimersByTime(AFTER_ANY_WAIT_MS);
  connection.close();
  expect(sources.map(({ isClosed }) => isClosed)).toEqual([false, true]);
});
