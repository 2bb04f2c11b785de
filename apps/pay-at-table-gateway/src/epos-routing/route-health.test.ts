import { expect, test } from '@jest/globals';
import { createLog } from '@pos/service-kit/telemetry';
import type { DataOutcome } from '../epos-calls/data-call.js';
import type { NotSentCause } from '../epos-calls/call-failure.js';
import { type HealthRoute, RouteHealth } from './route-health.js';

const STREAM: HealthRoute = { transport: 'stream', healthKey: 'connection 1', probe: null };
const ADDRESS: HealthRoute = { transport: 'rest', healthKey: 'address 1', probe: null };
const ROUTES = [STREAM, ADDRESS];
const createNotSent = (cause: NotSentCause): DataOutcome => ({ outcome: 'notSent', cause, reason: 'a test' });

const OTHER_OUTCOMES: readonly DataOutcome[] = [
  ...(['fencedOff', 'queueFull', 'noRoute', 'draining'] as const).map(createNotSent),
  { outcome: 'noAnswer', reason: 'a test' },
  { outcome: 'credentialsRefused', reason: 'a test' },
];
const label = (outcome: DataOutcome) => ('cause' in outcome ? `notSent ${outcome.cause}` : outcome.outcome);
const createHealth = () => new RouteHealth(createLog({ app: 'test', level: 'fatal' }));

test('a route without a connection is behind the others', () => {
  const health = createHealth();
  health.recordOutcome(STREAM, createNotSent('noConnection'));
  expect(health.sortByHealth(ROUTES)).toEqual([ADDRESS, STREAM]);
});

test.each(OTHER_OUTCOMES.map((outcome) => [label(outcome), outcome] as const))(
  '%s marks no route as down',
  (_, outcome) => {
    const health = createHealth();
    health.recordOutcome(STREAM, outcome);
    expect(health.sortByHealth(ROUTES)).toEqual(ROUTES);
  },
);

test.each(OTHER_OUTCOMES.map((outcome) => [label(outcome), outcome] as const))(
  'after %s a route that was down is up only if a call was sent',
  (_, outcome) => {
    const health = createHealth();
    health.recordOutcome(STREAM, createNotSent('noConnection'));
    health.recordOutcome(STREAM, outcome);
    expect(health.sortByHealth(ROUTES)).toEqual(outcome.outcome === 'notSent' ? [ADDRESS, STREAM] : ROUTES);
  },
);
