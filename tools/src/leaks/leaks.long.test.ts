import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { createOwnNumberShapes, LeakScan } from '@pos/core/leaks';
import { createFreshNumber } from '@pos/sandbox/cards';
import { parseScrape } from '../substitutes/scrape-text.js';
import { waitUntil } from '../e2e/stage.js';
import { LeakScenario } from './leak-scenario.js';
import { payInOneTrace } from './lives.js';
import { isMemoryReadable, scanMemory } from './process-memory.js';

const MINUTES = 60_000;

/** It passes, because a machine that protects its memory is no failure; the last lines of the whole check list it. */
if (!isMemoryReadable(process.pid)) {
  test('NOT RUN: this machine does not permit to read memory, so it was not scanned for leaks', () => {
    expect(isMemoryReadable(process.pid)).toBe(false);
  });
}

test(
  'after valid and mistaken requests, no number, CV2, key or secret is in a file, a log, a trace, a metric or foreign memory',
  async () => {
    const scenario = await LeakScenario.open();
    try {
      await scenario.live(1);
      await checkTraceOfPayment(scenario);
      const { finds, cards, scrapes } = await scenario.search();
      expect(finds).toEqual([]);
      expect(cards).toBeGreaterThan(10);
      expect(scenario.traces.unreadable).toEqual([]);
      for (const [app, text] of scrapes) checkLabels(app, text);
    } finally {
      await scenario.remove();
    }
  },
  5 * MINUTES,
);

/** A payment whose requests name one trace: every span is connected to it, and the delivery of its event links to it. */
async function checkTraceOfPayment({ traffic, traces, world }: LeakScenario): Promise<void> {
  const traceId = randomBytes(16).toString('hex');
  const rootId = randomBytes(8).toString('hex');
  await payInOneTrace(traffic, `00-${traceId}-${rootId}-01`);
  const isDelivered = (): boolean =>
    traces.spans.some(
      ({ name, links }) => name.startsWith('deliver ') && links.some((link) => link.traceId === traceId),
    );
  // Each app exports its spans in its own rhythm.
  const findGaps = () => {
    const spans = traces.of(traceId);
    const named = new Set(spans.map(({ app, name }) => `${app}: ${name}`));
    const known = new Set([rootId, ...spans.map(({ spanId }) => spanId)]);
    return {
      isDelivered: isDelivered(),
      missing: SPANS_OF_PAYMENT.filter((name) => !named.has(name)),
      unconnected: spans.filter(({ parentId }) => parentId === null || !known.has(parentId)),
    };
  };
  const whole = { isDelivered: true, missing: [], unconnected: [] };
  const isWhole = async (): Promise<boolean> => isDeepStrictEqual(findGaps(), whole);
  await waitUntil('the trace of the payment is whole', MINUTES / 3, isWhole).catch(() => undefined);
  expect(findGaps()).toEqual(whole);
  for (const app of ['api', 'card-vault'])
    expect(readFileSync(world.app(app).logFile, 'utf8')).toContain(`"trace_id":"${traceId}"`);
}

/** What one payment by card is made of, at least. */
const SPANS_OF_PAYMENT = [
  'api: HTTP createPaymentIntent',
  'api: db commit',
  'card-vault: HTTP payByCard',
  'card-vault: acquirer Authorise',
  'card-vault: service.acquirer.v1.AcquirerService/Authorise',
  'card-vault: db commit',
];

const SERIES_MAX = 1_500;
/** Ids of ours begin with their kind; words that long are ids or secrets of others. */
const ID = /^(?:[a-z]{2,4}_[A-Za-z0-9_-]{12,}|.{80,}|[0-9a-f-]{32,})$/;

/** Labels have few values, and none is an id of an account, a payment or a person. */
function checkLabels(app: string, text: string): void {
  const samples = parseScrape(text);
  expect(samples.length).toBeGreaterThan(10);
  expect(samples.length).toBeLessThan(SERIES_MAX);
  const values = samples.flatMap(({ labels: { __name__: _name, ...labels } }) => Object.values(labels));
  const ids = values.filter((value) => ID.test(value));
  expect({ app, ids }).toEqual({ app, ids: [] });
}

test('a number that a process has in its memory is found there', async () => {
  const number = createFreshNumber('4456530000091014', 0.5);
  const keep = 'process.stdin.once("data", (text) => { kept = `${text}`; console.log("got it"); })';
  const child = spawn(process.execPath, ['-e', keep], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = child.pid ?? 0;
  child.stdin.write(`{"cardNumber":"${number}"}`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const scan = new LeakScan(createOwnNumberShapes([number]));
  const isFound = !isMemoryReadable(pid) || scanMemory(scan, { pid }).leaks.length > 0;
  child.kill('SIGKILL');
  expect(isFound).toBe(true);
});
