import type { IncomingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { type Client, ProblemError } from '@pos/rest-contracts/client';
import * as rest from '@pos/rest-contracts/portal';
import {
  breakMachine,
  listMachines,
  type Machine,
  readAcquirerSwitches,
  readEposScreen,
  setAcquirerSwitches,
  setEposSwitches,
} from '@pos/rest-contracts/sandbox';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { PortalSessions } from '../sessions/portal-sessions.js';
import { SimulatorClient } from './simulator-client.js';

const UNPLUGGED_MS = 30_000;
const LATE_MS = 10_000;
const LOST_REPLY_MS = 5_000;
const TID_FORM = /^[\w-]{1,64}$/;

type MachineFault = (typeof rest.MACHINE_FAULTS)[number];

const FAULTS = {
  none: {},
  unplugged: { unplug: { when: 'now', forMs: UNPLUGGED_MS } },
  late: { answerLateByMs: LATE_MS },
  busy: { inUse: true },
  losesReply: { unplug: { when: 'after-approval', forMs: LOST_REPLY_MS } },
} as const satisfies Record<MachineFault, object>;

/** The fault switches of the simulators, for the account of the session only. */
@Controller()
export class SimulatorController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly simulator: SimulatorClient,
  ) {}

  @Serve(rest.readSimulator)
  async read({ headers }: OperationCall<typeof rest.readSimulator>) {
    return this.#present(await this.#requireSandboxAccount(headers));
  }

  @Serve(rest.switchSimulatedAcquirer)
  async switchAcquirer({ headers, body }: OperationCall<typeof rest.switchSimulatedAcquirer>) {
    return this.#change(headers, (client, params) => client(setAcquirerSwitches, { params, body }));
  }

  @Serve(rest.switchSimulatedEpos)
  async switchEpos({ headers, body }: OperationCall<typeof rest.switchSimulatedEpos>) {
    return this.#change(headers, (client, params) => client(setEposSwitches, { params, body }));
  }

  @Serve(rest.switchSimulatedMachine)
  async switchMachine({ headers, params: { tid }, body }: OperationCall<typeof rest.switchSimulatedMachine>) {
    // The id is a segment of the path at the sandbox: `..` would lead to another one.
    if (!TID_FORM.test(tid)) throw new Refusal('terminal_not_found', 'The account has no such simulated machine.');
    return this.#change(headers, (client, { accountId }) =>
      client(breakMachine, { params: { accountId, tid }, body: FAULTS[body.fault] }),
    );
  }

  async #change(
    headers: IncomingHttpHeaders,
    work: (client: Client, params: { readonly accountId: string }) => Promise<unknown>,
  ) {
    const accountId = await this.#requireSandboxAccount(headers);
    await this.simulator.call((client) => work(client, { accountId }));
    return this.#present(accountId);
  }

  /** The simulators stand in for money and machines, so they are for sandboxes and those who test there. */
  async #requireSandboxAccount(headers: IncomingHttpHeaders): Promise<string> {
    await this.sessions.requireSandbox(headers);
    const { scope } = await this.sessions.requirePermission(headers, 'tester.run');
    return scope.accountId;
  }

  async #present(accountId: string) {
    if (!this.simulator.isInstalled) return { state: 'NotInstalled' as const, machines: [] };
    const params = { accountId };
    return this.simulator.call(async (client) => {
      const acquirer = await findKnown(client(readAcquirerSwitches, { params }));
      if (acquirer === null) return { state: 'AccountUnknown' as const, machines: [] };
      const { machines } = await client(listMachines, { params });
      const epos = await findKnown(client(readEposScreen, { params }));
      return {
        ...{ state: 'Available' as const, acquirer },
        ...(epos !== null && { epos: epos.switches }),
        machines: machines.map(presentMachine),
      };
    });
  }
}

/** The answer; null where the sandbox does not know the account or has no EPOS for it. */
async function findKnown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.reason === 'path_unknown') return null;
    throw error;
  }
}

function presentMachine({ tid, name, isConnected, faults }: Machine) {
  return { tid, name, isConnected, fault: findFault(faults, isConnected) };
}

/** The simulator keeps the fault of a machine that was off for a moment and is connected again. */
function findFault({ unplug, answerLateByMs, inUse }: Machine['faults'], isConnected: boolean): MachineFault {
  if (inUse === true) return 'busy';
  if (unplug?.when === 'now' && !isConnected) return 'unplugged';
  if (unplug?.when === 'after-approval') return 'losesReply';
  return answerLateByMs === undefined ? 'none' : 'late';
}
