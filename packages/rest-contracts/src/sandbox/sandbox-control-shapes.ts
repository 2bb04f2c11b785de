import { z } from 'zod';
import { text } from '../shapes/shapes.js';

/** The common part of every operation of the sandbox's control port: it requires no key. */
export const CONTROL = { tag: 'Sandbox control', permission: null, version: 'none', idempotency: 'none' } as const;

/** The limit of active rules or faults. */
export const CONTROL_RULES_MAX = 100;

const NAME_MAX = 200;

/** A delay in the sandbox, in real milliseconds. */
export const CONTROL_DELAY_MS_MAX = 600_000;

export const ControlName = text({ min: 1, max: NAME_MAX });

export const ControlDelay = z.int().min(0).max(CONTROL_DELAY_MS_MAX).meta({ description: 'Real milliseconds.' });

export const ControlRepeats = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'For how many calls; absent means until replaced.' });
