import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { getId, Moment } from '../shapes/shapes.js';
import {
  ADMINISTRATION,
  CHANGE_REFUSALS,
  EXAMPLE_OWNER,
  EXAMPLE_TARGET,
  OPERATOR_REFUSALS,
  OWNER,
  REASON,
  TARGET,
} from './administration-shapes.js';

export const listDeadLetterAccounts = {
  ...ADMINISTRATION,
  id: 'listDeadLetterAccounts',
  method: 'GET',
  path: '/portal/administration/dead-letters/accounts',
  summary: 'List the accounts that have dead letters',
  description: 'Those with the most dead letters first; at most 500.',
  returns: z
    .array(z.object({ ...OWNER, count: z.int().min(1).describe('How many dead letters it has.') }))
    .meta({ id: 'DeadLetterAccounts', examples: [[{ ...EXAMPLE_OWNER, count: 12 }]] }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

const AdministeredDeadLetter = z
  .object({
    id: z.string().describe('The delivery (`dlv_…`).'),
    event: z.string().describe('The kind of the event.'),
    url: z.string().describe('The receiver.'),
    attempts: z.int().min(0).describe('How often it was tried.'),
    lastStatus: z.int().optional().describe('The status of the last answer; absent when there was none.'),
    lastError: z.string().optional().describe('Why there was no answer.'),
    updatedAt: Moment.describe('When it was tried last.'),
  })
  .meta({ id: 'AdministeredDeadLetter' });
export type AdministeredDeadLetter = z.output<typeof AdministeredDeadLetter>;

export const listAdministeredDeadLetters = {
  ...ADMINISTRATION,
  id: 'listAdministeredDeadLetters',
  method: 'GET',
  path: '/portal/administration/dead-letters',
  summary: 'List the deliveries of an account whose attempts are spent',
  description: 'Newest first.',
  query: z.object({ ...TARGET, limit: z.int().min(1).max(200).default(50).describe('The most to list.') }),
  returns: z.array(AdministeredDeadLetter).meta({
    id: 'AdministeredDeadLetters',
    examples: [
      [
        {
          id: 'dlv_sandbox_AaH8KwlxavakGwZZljrhYw',
          event: 'payment_intent.status_updated',
          url: 'https://receiver.example/hook',
          attempts: 12,
          lastStatus: 503,
          updatedAt: '2026-03-01T12:00:00.000Z',
        },
      ],
    ],
  }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const replayAdministeredDeadLetters = {
  ...ADMINISTRATION,
  id: 'replayAdministeredDeadLetters',
  method: 'POST',
  path: '/portal/administration/dead-letters/replay',
  summary: 'Send a dead letter again, or all of an account',
  description: 'They are sent beside live events, with all their attempts.',
  body: z
    .object({
      ...TARGET,
      delivery: getId('delivery', 'Must be the id of a delivery.')
        .optional()
        .describe('The delivery; all dead letters of the account when not sent.'),
      ...REASON,
    })
    .meta({ id: 'DeadLetterReplay', examples: [{ ...EXAMPLE_TARGET, reason: 'receiver fixed' }] }),
  returns: z
    .object({ queued: z.int().min(0).describe('How many are queued again.') })
    .meta({ id: 'DeadLetterReplayResult', examples: [{ queued: 12 }] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;
