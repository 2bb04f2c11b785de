import { z } from 'zod';
import type { DeepReadonly, Operation } from '../operation/operation.js';
import { CONTROL } from './sandbox-control-shapes.js';

export const AcquirerSwitches = z
  .object({
    declines: z.boolean().meta({ description: 'It declines every card.' }),
    isSlow: z.boolean().meta({ description: 'Every answer comes three seconds late.' }),
    isSilent: z.boolean().meta({ description: 'It receives nothing, so no call has an answer.' }),
    losesReply: z.boolean().meta({ description: 'It books the next authorisation, and the answer is lost.' }),
  })
  .meta({
    id: 'AcquirerSwitches',
    examples: [{ declines: false, isSlow: true, isSilent: false, losesReply: false }],
  });
export type AcquirerSwitches = DeepReadonly<z.output<typeof AcquirerSwitches>>;

const ofAccount = {
  ...CONTROL,
  path: '/accounts/{accountId}/acquirer-switches',
  params: z.object({ accountId: z.string() }),
  returns: AcquirerSwitches,
  refusals: ['path_unknown'],
} as const;

export const readAcquirerSwitches = {
  ...ofAccount,
  id: 'readAcquirerSwitches',
  method: 'GET',
  summary: 'Read the fault switches of the simulated acquirer for an account',
} as const satisfies Operation;

export const setAcquirerSwitches = {
  ...ofAccount,
  id: 'setAcquirerSwitches',
  method: 'PUT',
  summary: 'Set the fault switches of the simulated acquirer for an account',
  description: 'Replaces the rules that name the merchant number of the account, and no others.',
  body: AcquirerSwitches,
} as const satisfies Operation;
