import { EPOS_ERRORS, EPOS_SILENCES } from '@pos/core/tables';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';

const STATUSES = [...Object.values(EPOS_ERRORS), ...Object.values(EPOS_SILENCES)].map(
  ({ simulatorHttp }) => simulatorHttp,
);

/** The refusal of the EPOS, or why it has not answered. */
export const SimulatorError = z
  .object({
    errorCode: z.string().describe('Error code of the pay-at-table contract, or why there was no answer.'),
    errorReason: z.string().meta({ description: 'Free text for staff.' }),
  })
  .meta({
    id: 'SimulatorError',
    examples: [{ errorCode: 'SESSION_NO_SUCH_SESSION', errorReason: 'no such session' }],
  });
export type SimulatorError = z.output<typeof SimulatorError>;

export const simulateDevice = {
  id: 'simulateDevice',
  method: 'POST',
  path: '/simulator/{method}',
  tag: 'Device simulator',
  summary: 'Call the account’s EPOS as a device does',
  description:
    'The ten methods of the pay-at-table contract by their names: ListSessions, GetSession, ListTables, GetTable, GetBillItems, ' +
    'ListBillItems, GetFullBill, LockSession, UnlockSession, RecordPayment. The body is `params`; the answer is the content ' +
    'of `result`: an object, an array, or `{}`. The call goes to the EPOS as it is, unless another device holds the session. The key may ' +
    'come in the header `accountName`. Sandbox keys only.',
  permission: 'tables.use',
  sandboxOnly: 'permission_missing',
  version: 'none',
  idempotency: 'none',
  keyInAccountName: true,
  params: z.object({ method: z.string().describe('Name of the call, such as `ListSessions`.') }),
  body: z.record(z.string(), z.unknown()).meta({
    id: 'SimulatorParams',
    examples: [{ sessionId: '7f0c…', requestorInfo: { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE' } }],
  }),
  returns: z.unknown().meta({ id: 'SimulatorContent' }),
  refusals: ['path_unknown'],
  passedOn: { statuses: [...new Set<number>(STATUSES)].sort((one, other) => one - other), body: SimulatorError },
} as const satisfies Operation;

export const SIMULATOR_OPERATIONS = [simulateDevice] as const;
