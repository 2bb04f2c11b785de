import { TERMINAL_STATUSES } from '@pos/core/terminals/terminal-session';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Moment } from '../shapes/shapes.js';

export const Terminal = z
  .object({
    id: z.string().describe('Id of the card machine (`tm_…`); sessions name it.'),
    properties: z
      .object({ tid: z.string().describe('Terminal id at the acquirer, 8 digits; printed on receipts.') })
      .describe('Facts about the machine.'),
    status: z.enum(TERMINAL_STATUSES).meta({
      description: 'InUse: a session runs. Offline: no message for 60 seconds. Available: neither.',
    }),
    updatedAt: Moment.meta({ description: 'Since when it has the status.' }),
  })
  .meta({
    id: 'Terminal',
    examples: [
      {
        id: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
        properties: { tid: '90000001' },
        status: 'Available',
        updatedAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type Terminal = z.output<typeof Terminal>;

const shared = {
  method: 'GET',
  tag: 'Terminals',
  permission: 'terminals.read',
  version: 'required',
  partnerHeaders: true,
  idempotency: 'none',
  problemsCarryCode: true,
} as const;

export const listTerminals = {
  ...shared,
  id: 'listTerminals',
  path: '/terminals',
  summary: 'List the card machines, by TID',
  query: z.object({
    statuses: z
      .array(z.enum(TERMINAL_STATUSES))
      .default([])
      .meta({ description: 'Only these; repeated or separated by commas. All when not sent.' }),
  }),
  returns: z.array(Terminal),
  refusals: [],
} as const satisfies Operation;

export const readTerminal = {
  ...shared,
  id: 'readTerminal',
  path: '/terminals/{terminalId}',
  summary: 'Read a card machine',
  params: z.object({ terminalId: z.string().describe('Id of the card machine (`tm_…`).') }),
  returns: Terminal,
  refusals: ['terminal_not_found'],
} as const satisfies Operation;

export const resetTerminalMachine = {
  ...shared,
  id: 'resetTerminalMachine',
  method: 'POST',
  path: '/terminals/{terminalId}/machine/reset',
  summary: 'Let another machine serve a TID',
  description:
    'A TID belongs to the machine whose stream was first opened under it, by its serial number and its credential. After this ' +
    'call it belongs to none: its stream ends, and the next machine that opens one is bound. For a machine that was replaced ' +
    'or has lost its credential. Kept in the audit log.',
  permission: 'tables.operate',
  version: 'optional',
  idempotency: 'optional',
  params: z.object({ terminalId: z.string().describe('Id of the card machine (`tm_…`).') }),
  body: z
    .object({ note: freeText({ min: 1, max: 1024 }).meta({ description: 'Why; kept in the audit log.' }) })
    .meta({ id: 'MachineReset', examples: [{ note: 'the machine was replaced' }] }),
  returns: Terminal,
  refusals: ['terminal_not_found'],
} as const satisfies Operation;

export const TERMINAL_OPERATIONS = [listTerminals, readTerminal, resetTerminalMachine] as const;
