import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment } from '../shapes/shapes.js';

export const readTestClock = {
  id: 'readTestClock',
  method: 'GET',
  path: '/portal/test-clock',
  tag: 'Portal',
  summary: 'Read the time of the sandbox that the user works in',
  permission: null,
  version: 'none',
  idempotency: 'none',
  returns: z
    .object({ now: Moment.describe('The time of the account now.') })
    .meta({ id: 'TestClock', examples: [{ now: '2026-03-08T12:00:00.000Z' }] }),
  refusals: [
    'portal_session_missing',
    'password_change_needed',
    'cross_site_request',
    'account_not_chosen',
    'permission_missing',
  ],
} as const satisfies Operation;
