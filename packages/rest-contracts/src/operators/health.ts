import { z } from 'zod';
import type { Operation } from '../operation/operation.js';

const Health = z
  .object({
    status: z.literal('ok').describe('Always `ok`; a process that is not ready answers a problem instead.'),
    release: z.string().describe('The release of the service that answers.'),
  })
  .meta({ id: 'Health', examples: [{ status: 'ok', release: '0.2.0' }] });

const shared = {
  method: 'GET',
  tag: 'Health',
  permission: null,
  version: 'optional',
  idempotency: 'none',
  returns: Health,
} as const;

export const readLive = {
  ...shared,
  id: 'readLive',
  path: '/health/live',
  summary: 'Report that the process runs',
  refusals: [],
} as const satisfies Operation;

export const readReady = {
  ...shared,
  id: 'readReady',
  path: '/health/ready',
  summary: 'Report that the process can serve',
  description: 'Answers 503 while something it depends on is down.',
  refusals: ['service_unavailable'],
} as const satisfies Operation;

/** Served by every HTTP app. */
export const HEALTH_OPERATIONS = [readLive, readReady] as const;
