import { isActiveCurrency } from '@pos/core/money';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { CONTROL, CONTROL_DELAY_MS_MAX, ControlDelay, ControlName } from './sandbox-control-shapes.js';
import { WORDS_MAX } from '../shapes/shapes.js';

const NewAccount = z
  .object({
    accountId: ControlName,
    apiKey: ControlName.meta({ description: 'What its machines and its EPOS show to the gateway.' }),
    merchantId: ControlName.meta({ description: 'Its number at the acquirer.' }),
    tradingName: ControlName,
    currencyCode: z
      .string()
      .refine(isActiveCurrency, { error: 'Must be an active currency code of ISO 4217.' })
      .default('GBP'),
    softwareHouseId: ControlName.default('sandbox-software-house'),
    hasMachines: z.boolean().default(true),
    amountTriggers: z.boolean().default(true),
    epos: z
      .object({
        username: ControlName,
        password: ControlName,
        dialsIn: z.boolean().default(true).meta({ description: 'The EPOS opens a stream to the gateway.' }),
        sockets: z
          .array(z.enum(['ws', 'tables-ws']))
          .max(WORDS_MAX)
          .max(2)
          .default([])
          .meta({
            description: 'Sockets it opens: `ws` for the EPOS Data API, `tables-ws` for the pay-at-table contract.',
          }),
        needsLocks: z
          .boolean()
          .default(false)
          .meta({ description: 'It records payments on locked orders only, as it should once locks are registered.' }),
        readsIntents: z
          .boolean()
          .default(false)
          .meta({ description: 'It reads a payment back from the service before it books it on an order.' }),
      })
      .optional(),
  })
  .meta({
    id: 'NewSandboxAccount',
    examples: [
      {
        accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA',
        apiKey: 'sk_sandbox_example',
        merchantId: '000000001',
        tradingName: 'The Oyster Shed',
        epos: { username: 'oyster-shed', password: 'example' },
      },
    ],
  });
export type NewAccount = z.output<typeof NewAccount>;

const Account = z.object({
  accountId: z.string(),
  merchantId: z.string(),
  tradingName: z.string(),
  currencyCode: z.string(),
  amountTriggers: z.boolean(),
  machines: z.array(z.string()).meta({ description: 'TIDs.' }),
  eposUsername: z.string().optional(),
  isEposConnected: z.boolean().meta({ description: 'It opens connections to the gateway, and all of them serve.' }),
});

const unplug = z.object({
  when: z.enum(['now', 'after-confirm', 'after-approval']),
  forMs: z.int().min(1).max(CONTROL_DELAY_MS_MAX),
});

const MachineFaults = z
  .object({
    unplug: unplug.optional(),
    answerLateByMs: ControlDelay.optional(),
    reportTwice: z.boolean().optional(),
    inUse: z.boolean().optional(),
  })
  .meta({ id: 'MachineFaults', examples: [{ unplug: { when: 'after-approval', forMs: 3000 } }] });

const Machine = z.object({
  tid: z.string(),
  name: z.string(),
  behaviour: z.string(),
  isConnected: z.boolean(),
  inUse: z.boolean(),
  runningSessionId: z.string().optional(),
  unacknowledged: z.int().meta({ description: 'Reports that the gateway has not acknowledged.' }),
  faults: z.object({
    unplug: z.object({ when: z.string(), forMs: z.int() }).optional(),
    answerLateByMs: z.int().optional(),
    reportTwice: z.boolean().optional(),
    inUse: z.boolean().optional(),
  }),
});

/** A machine of the sandbox, as the control port describes it. */
export type Machine = z.input<typeof Machine>;

const ofAccount = { params: z.object({ accountId: z.string() }), refusals: ['path_unknown'] } as const;
const ofMachine = {
  params: z.object({ accountId: z.string(), tid: z.string() }),
  refusals: ['path_unknown', 'terminal_not_found'],
} as const;
export const listSandboxAccounts = {
  ...CONTROL,
  id: 'listSandboxAccounts',
  method: 'GET',
  path: '/accounts',
  summary: 'List the accounts that have machines or an EPOS here',
  returns: z.object({ accounts: z.array(Account) }),
  refusals: [],
} as const satisfies Operation;

export const provisionSandboxAccount = {
  ...CONTROL,
  id: 'provisionSandboxAccount',
  method: 'POST',
  path: '/accounts',
  summary: 'Create the ten machines and the EPOS of an account',
  description: 'A repeat for the same account replaces its machines and its EPOS with new ones.',
  body: NewAccount,
  returns: Account,
  refusals: [],
} as const satisfies Operation;

export const deleteSandboxAccount = {
  ...CONTROL,
  params: ofAccount.params,
  id: 'deleteSandboxAccount',
  method: 'DELETE',
  path: '/accounts/{accountId}',
  summary: 'Remove the machines and the EPOS of an account',
  description: 'They disconnect for good. The account itself and its payments stay. A repeat changes nothing.',
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const listMachines = {
  ...CONTROL,
  ...ofAccount,
  id: 'listMachines',
  method: 'GET',
  path: '/machines/{accountId}',
  summary: 'List the simulated card machines of an account',
  returns: z.object({ machines: z.array(Machine) }),
} as const satisfies Operation;

export const readMachine = {
  ...CONTROL,
  ...ofMachine,
  id: 'readMachine',
  method: 'GET',
  path: '/machines/{accountId}/{tid}',
  summary: 'Read a simulated card machine',
  returns: Machine,
} as const satisfies Operation;

export const breakMachine = {
  ...CONTROL,
  ...ofMachine,
  id: 'breakMachine',
  method: 'PUT',
  path: '/machines/{accountId}/{tid}',
  summary: 'Replace the faults of a machine',
  description:
    'Switch it off now, after it confirmed, or between the approval and its report; report a result late; report ' +
    'everything twice; be in use. An empty body removes all faults.',
  body: MachineFaults,
  returns: Machine,
} as const satisfies Operation;
