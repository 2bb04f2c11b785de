import { parseTimespan } from '@pos/core/time';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { putSandboxEpos, readSandboxEpos } from './sandbox-epos-presence.js';
import { Moment, TimespanInput } from '../shapes/shapes.js';

/** The limit of one advance; a year exceeds every deadline. */
const ADVANCE_MS_MAX = parseTimespan('366.00:00:00') ?? 0;

const ClockAdvance = z
  .object({
    by: TimespanInput.refine((spanMs) => spanMs > 0 && spanMs <= ADVANCE_MS_MAX, {
      error: 'Must be more than zero and at most 366 days.',
    }).describe('How far to move, as `hh:mm:ss` or `d.hh:mm:ss`; more than zero and at most 366 days.'),
  })
  .meta({ id: 'ClockAdvance', examples: [{ by: '7.00:00:00' }] });

const Clock = z
  .object({ now: Moment.meta({ description: 'The time of this account after the advance.' }) })
  .meta({ id: 'Clock', examples: [{ now: '2026-03-08T12:00:00.000Z' }] });

export const advanceClock = {
  id: 'advanceClock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  tag: 'Sandbox',
  summary: 'Move the time of this sandbox account forward',
  description:
    'Goes from one due deadline to the next and waits until each is worked, so that holds, windows, expiries and ' +
    'redeliveries of the span have happened when the answer arrives. Time of a sandbox never moves back.',
  permission: 'any',
  sandboxOnly: 'path_unknown',
  version: 'optional',
  idempotency: 'optional',
  body: ClockAdvance,
  returns: Clock,
  refusals: [],
} as const satisfies Operation;

export const SANDBOX_OPERATIONS = [advanceClock, readSandboxEpos, putSandboxEpos] as const;
