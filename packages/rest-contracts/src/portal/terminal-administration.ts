import { TERMINAL_STATUSES } from '@pos/core/terminals';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { Moment, text } from '../shapes/shapes.js';
import {
  ADMINISTRATION,
  CHANGE_REFUSALS,
  EXAMPLE_TARGET,
  OPERATOR_REFUSALS,
  REASON,
  TARGET,
} from './administration-shapes.js';

const AdministeredTerminal = z
  .object({
    id: z.string().describe('The terminal (`tm_…`).'),
    tid: z.string().describe('The id that the acquirer has assigned.'),
    name: z.string().describe('The name for operators and integrators.'),
    model: z.string().optional().describe('The model of the machine.'),
    locationId: z.string().optional().describe('The location; absent for the first one of the account.'),
    status: z.enum(TERMINAL_STATUSES).describe('Whether it runs a session, is connected, or neither.'),
    statusSince: Moment.describe('Since when it has the status, in the time of the account.'),
    machineSerialNumber: z.string().optional().describe('The machine that it belongs to; absent before one connects.'),
  })
  .meta({ id: 'AdministeredTerminal' });
export type AdministeredTerminal = z.output<typeof AdministeredTerminal>;

const terminal = text({ min: 1, max: 100 }).describe('The terminal (`tm_…`).');
const tid = text({ min: 1, max: 64 });
const model = freeText({ min: 1, max: 60 });
const EXAMPLE_ID = 'tm_prod_66a1f0c2d4e5f60718293a01';

export const listAdministeredTerminals = {
  ...ADMINISTRATION,
  id: 'listAdministeredTerminals',
  method: 'GET',
  path: '/portal/administration/terminals',
  summary: 'List the terminals of an account with their machines',
  query: z.object(TARGET),
  returns: z.array(AdministeredTerminal).meta({
    id: 'AdministeredTerminals',
    examples: [
      [
        {
          id: EXAMPLE_ID,
          tid: '10000001',
          name: 'Bar',
          model: 'Move 5000',
          status: 'Available',
          statusSince: '2026-03-01T12:00:00.000Z',
          machineSerialNumber: 'SN-0417',
        },
      ],
    ],
  }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const registerAdministeredTerminal = {
  ...ADMINISTRATION,
  id: 'registerAdministeredTerminal',
  method: 'POST',
  path: '/portal/administration/terminals',
  summary: 'Register a card machine by its TID',
  description: 'The first machine that connects under the TID is bound to the terminal.',
  body: z
    .object({
      ...TARGET,
      tid: tid.describe('The id that the acquirer has assigned.'),
      name: freeText({ min: 1, max: 100 }).describe('The name for operators and integrators.'),
      model: model.optional().describe('The model of the machine.'),
      location: text({ min: 1, max: 100 }).optional().describe('The location; the first one when not sent.'),
      ...REASON,
    })
    .meta({
      id: 'NewAdministeredTerminal',
      examples: [{ ...EXAMPLE_TARGET, tid: '10000001', name: 'Bar', model: 'Move 5000', reason: 'order 12' }],
    }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const replaceAdministeredTerminal = {
  ...ADMINISTRATION,
  id: 'replaceAdministeredTerminal',
  method: 'POST',
  path: '/portal/administration/terminals/replace',
  summary: 'Give a terminal to another card machine',
  description: 'It keeps its id and history. The stream of the previous machine ends within a second.',
  body: z
    .object({
      ...{ ...TARGET, terminal },
      tid: tid.optional().describe('The TID of the new machine; unchanged when not sent.'),
      model: model.optional().describe('The model of the new machine; unchanged when not sent.'),
      ...REASON,
    })
    .meta({
      id: 'AdministeredTerminalReplacement',
      examples: [{ ...EXAMPLE_TARGET, terminal: EXAMPLE_ID, tid: '10000009', reason: 'display broken' }],
    }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const resetAdministeredTerminal = {
  ...ADMINISTRATION,
  id: 'resetAdministeredTerminal',
  method: 'POST',
  path: '/portal/administration/terminals/reset-credential',
  summary: 'Free a terminal whose card machine has lost its credential',
  description: 'The next machine that connects under its TID is bound again.',
  body: z.object({ ...TARGET, terminal, ...REASON }).meta({
    id: 'AdministeredTerminalReset',
    examples: [{ ...EXAMPLE_TARGET, terminal: EXAMPLE_ID, reason: 'machine was reset' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;
