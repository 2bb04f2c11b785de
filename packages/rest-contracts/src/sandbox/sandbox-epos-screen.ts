import { z } from 'zod';
import type { DeepReadonly, Operation } from '../operation/operation.js';
import { CONTROL, ControlName } from './sandbox-control-shapes.js';
import { Moment } from '../shapes/shapes.js';

const DISHES_MAX = 20;

export const EposSwitches = z
  .object({
    isDown: z.boolean().meta({ description: 'Every call breaks its connection.' }),
    isSlow: z.boolean().meta({ description: 'Every answer comes three seconds late.' }),
    refuses: z.boolean().meta({ description: 'It refuses to record payments.' }),
    losesReply: z.boolean().meta({
      description: 'It records the next payment, and the connection breaks before the answer.',
    }),
  })
  .meta({ id: 'EposSwitches', examples: [{ isDown: false, isSlow: true, refuses: false, losesReply: false }] });
export type EposSwitches = DeepReadonly<z.output<typeof EposSwitches>>;

const NewCourse = z
  .object({ dishes: z.array(ControlName).min(1).max(DISHES_MAX).meta({ description: 'Numbers of the menu.' }) })
  .meta({ id: 'NewCourse', examples: [{ dishes: ['301', '401'] }] });

const PartyView = z.object({
  ...{ sessionId: z.string(), name: z.string(), waiter: z.string(), covers: z.int() },
  tableName: z.string().optional(),
  ...{ total: z.int(), paid: z.int(), isFinished: z.boolean(), isLocked: z.boolean() },
  lockedBy: z.string().optional().meta({ description: 'The TID of the card machine; absent for a payer.' }),
  items: z.array(z.object({ id: z.string(), name: z.string(), amount: z.int() })),
});
/** A party with its bill, as the kitchen's page shows it. */
export type PartyView = DeepReadonly<z.output<typeof PartyView>>;

const EposScreenView = z.object({
  ...{ tradingName: z.string(), currency: z.string(), switches: EposSwitches },
  tables: z.array(
    z.object({
      name: z.string(),
      area: z.string(),
      status: z.enum(['Available', 'PendingAvailable', 'Occupied', 'NotInUse']),
    }),
  ),
  parties: z.array(PartyView),
  payments: z
    .array(
      z.object({
        ...{ paymentId: z.string(), sessionId: z.string(), amount: z.int(), tips: z.int() },
        recordedAt: Moment,
      }),
    )
    .meta({ description: 'The newest first.' }),
  calls: z
    .array(z.object({ number: z.int(), method: z.string(), answered: z.string() }))
    .meta({ description: 'The newest first.' }),
  menu: z.array(z.object({ plu: z.string(), name: z.string(), category: z.string(), price: z.int() })),
});
/** All that the kitchen's page shows. */
export type EposScreenView = DeepReadonly<z.output<typeof EposScreenView>>;

const ofAccount = {
  ...CONTROL,
  params: z.object({ accountId: z.string() }),
  returns: EposScreenView,
  refusals: ['path_unknown'],
} as const;

export const readEposScreen = {
  ...ofAccount,
  id: 'readEposScreen',
  method: 'GET',
  path: '/epos/{accountId}/screen',
  summary: 'Read the tables, bills and payments of the reference EPOS',
  description: 'The address ending in `/events` sends the same as server-sent events, and again after each change.',
} as const satisfies Operation;

export const setEposSwitches = {
  ...ofAccount,
  id: 'setEposSwitches',
  method: 'PUT',
  path: '/epos/{accountId}/switches',
  summary: 'Set the fault switches of the reference EPOS',
  description: 'Replaces its faults.',
  body: EposSwitches,
} as const satisfies Operation;

export const addEposCourse = {
  ...ofAccount,
  id: 'addEposCourse',
  method: 'POST',
  path: '/epos/{accountId}/sessions/{sessionId}/courses',
  params: z.object({ accountId: z.string(), sessionId: z.string() }),
  summary: 'Put dishes on the bill of a party',
  description: 'Refused while the bill is locked for a payment.',
  body: NewCourse,
  refusals: ['path_unknown', 'journey_busy', 'journey_over'],
} as const satisfies Operation;

/** The operations of the kitchen's page. */
export const EPOS_SCREEN_OPERATIONS = [readEposScreen, setEposSwitches, addEposCourse] as const;
