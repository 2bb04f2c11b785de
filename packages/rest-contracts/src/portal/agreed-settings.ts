import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment } from '../shapes/shapes.js';
import { ADMINISTRATION, OPERATOR_REFUSALS } from './administration-shapes.js';

const AgreedSetting = z
  .object({
    name: z.string().describe('The setting.'),
    value: z.string().describe('The value that all processes have.'),
    nextValue: z.string().optional().describe('The value that is accepted beside it, while it is changed.'),
    app: z.string().describe('The app that has stored the value.'),
    changedAt: Moment.describe('When it was stored or changed.'),
    refused: z
      .array(z.object({ app: z.string(), value: z.string(), at: Moment }))
      .describe('The apps that did not start because of their value.'),
  })
  .meta({ id: 'AgreedSetting' });
export type AgreedSetting = z.output<typeof AgreedSetting>;

export const listAgreedSettings = {
  ...ADMINISTRATION,
  id: 'listAgreedSettings',
  method: 'GET',
  path: '/portal/administration/agreed-settings',
  summary: 'List the settings that all processes have agreed on',
  description: 'They are changed by `pos-admin agreed-settings`, with the deployment of the processes.',
  returns: z.array(AgreedSetting).meta({
    id: 'AgreedSettings',
    examples: [
      [
        {
          name: 'RATE_LIMIT_PER_SECOND',
          value: '100',
          app: 'api',
          changedAt: '2026-03-01T12:00:00.000Z',
          refused: [{ app: 'pay-at-table-gateway', value: '50', at: '2026-03-02T12:00:00.000Z' }],
        },
      ],
    ],
  }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;
