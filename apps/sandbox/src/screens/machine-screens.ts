import { Refusal, type RefusalCode } from '@pos/core/refusals';
import { ProblemError } from '@pos/rest-contracts/client';
import { DeviceCallError, MachineRefusal, OperatedMachine } from '@pos/sandbox/devices';
import type { SimulatedEnvironment } from '@pos/sandbox/environment';
import type { ConnectedMachine } from '@pos/sandbox/machines';
import { getAccountSimulation } from '../control/account-controller.js';

/** The machines that persons operate on pages, each opened with its first use. */
export class MachineScreens {
  readonly #environment: SimulatedEnvironment;
  readonly #screens = new Map<ConnectedMachine, OperatedMachine>();

  constructor(environment: SimulatedEnvironment) {
    this.#environment = environment;
  }

  /** The machine with this TID; an unknown account or machine is refused. */
  getScreen({ accountId, tid }: { readonly accountId: string; readonly tid: string }): OperatedMachine {
    const { machines, account } = getAccountSimulation(this.#environment, accountId);
    const connected = machines.find(({ machine }) => machine.model.tid === tid);
    if (connected === undefined) throw new Refusal('terminal_not_found', 'The account has no such machine.');
    const existing = this.#screens.get(connected);
    if (existing !== undefined) return existing;
    const screen = new OperatedMachine({
      ...{ connected, account, clock: this.#environment.clock },
      device: this.#environment.openDevice(account, tid),
      counterSales: this.#environment.openCounterSales(account),
    });
    this.#screens.set(connected, screen);
    return screen;
  }

  close(): void {
    for (const screen of this.#screens.values()) screen.close();
    this.#screens.clear();
  }
}

const DEVICE_REFUSALS: Readonly<Record<DeviceCallError['kind'], RefusalCode>> = {
  notFound: 'path_unknown',
  locked: 'journey_busy',
  invalid: 'journey_busy',
  conflict: 'journey_busy',
  unreachable: 'service_unavailable',
};

/** Runs a request of a page. What the machine, the gateway or the payments API refuses becomes a refusal with its reason. */
export async function refuseAsPage<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MachineRefusal) {
      throw new Refusal(error.kind === 'busy' ? 'journey_busy' : 'terminal_unavailable', error.reason);
    }
    if (error instanceof DeviceCallError) throw new Refusal(DEVICE_REFUSALS[error.kind], error.reason);
    if (error instanceof ProblemError) throw new Refusal('terminal_unavailable', error.problem.detail);
    throw error;
  }
}
