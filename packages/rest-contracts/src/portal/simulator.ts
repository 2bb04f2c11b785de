import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { AcquirerSwitches } from '../sandbox/sandbox-acquirer-switches.js';
import { EposSwitches } from '../sandbox/sandbox-epos-screen.js';

/** The faults of a simulated card machine that a page can switch on. */
export const MACHINE_FAULTS = ['none', 'unplugged', 'late', 'busy', 'losesReply'] as const;

const MachineFault = z.enum(MACHINE_FAULTS).meta({
  description:
    '`unplugged`: off for 30 seconds. `late`: reports the next result 10 seconds late. `busy`: in use for something ' +
    'else. `losesReply`: the connection breaks between the next approval and its report.',
});

const SimulatorView = z
  .object({
    state: z.enum(['Available', 'NotInstalled', 'AccountUnknown']).meta({
      description: 'This installation may have no simulator, and the simulator may not simulate this account.',
    }),
    acquirer: AcquirerSwitches.optional(),
    epos: EposSwitches.optional().meta({ description: 'Absent without a simulated EPOS.' }),
    machines: z.array(z.object({ tid: z.string(), name: z.string(), isConnected: z.boolean(), fault: MachineFault })),
  })
  .meta({ id: 'SimulatorView', examples: [{ state: 'NotInstalled', machines: [] }] });

const shared = {
  tag: 'Portal',
  permission: null,
  version: 'none',
  idempotency: 'none',
  returns: SimulatorView,
  refusals: [
    'portal_session_missing',
    'password_change_needed',
    'cross_site_request',
    'account_not_chosen',
    'second_factor_missing',
    'permission_missing',
    'service_unavailable',
  ],
} as const;
const changes = { ...shared, refusals: [...shared.refusals, 'path_unknown'] } as const;

export const readSimulator = {
  ...shared,
  id: 'readSimulator',
  method: 'GET',
  path: '/portal/simulator',
  summary: 'Read the fault switches of the simulators of a sandbox account',
} as const satisfies Operation;

export const switchSimulatedAcquirer = {
  ...changes,
  id: 'switchSimulatedAcquirer',
  method: 'PUT',
  path: '/portal/simulator/acquirer',
  summary: 'Set the fault switches of the simulated acquirer for the account',
  body: AcquirerSwitches,
} as const satisfies Operation;

export const switchSimulatedEpos = {
  ...changes,
  id: 'switchSimulatedEpos',
  method: 'PUT',
  path: '/portal/simulator/epos',
  summary: 'Set the fault switches of the reference EPOS of the account',
  body: EposSwitches,
} as const satisfies Operation;

export const switchSimulatedMachine = {
  ...changes,
  id: 'switchSimulatedMachine',
  method: 'PUT',
  path: '/portal/simulator/machines/{tid}',
  params: z.object({ tid: z.string() }),
  summary: 'Give a simulated card machine of the account a fault',
  body: z.object({ fault: MachineFault }).meta({ id: 'SimulatedMachineFault', examples: [{ fault: 'busy' }] }),
  refusals: [...changes.refusals, 'terminal_not_found'],
} as const satisfies Operation;

export const PORTAL_SIMULATOR_OPERATIONS = [
  readSimulator,
  switchSimulatedAcquirer,
  switchSimulatedEpos,
  switchSimulatedMachine,
] as const;
