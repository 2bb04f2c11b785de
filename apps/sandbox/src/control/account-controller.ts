import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import * as rest from '@pos/rest-contracts/sandbox';
import { resetSandbox } from '@pos/rest-contracts/sandbox';
import type { ConnectedMachine } from '@pos/sandbox/machines';
import { SimulatedEnvironment, type AccountSimulation } from '@pos/sandbox/environment';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { SandboxAccountFile } from '../accounts/account-file.js';

@Controller()
export class AccountController {
  constructor(
    private readonly environment: SimulatedEnvironment,
    private readonly accounts: SandboxAccountFile,
  ) {}

  @Serve(rest.listSandboxAccounts)
  async list(_: OperationCall<typeof rest.listSandboxAccounts>) {
    return { accounts: this.environment.listAccounts().map(presentAccount) };
  }

  @Serve(rest.provisionSandboxAccount)
  async provision({ body }: OperationCall<typeof rest.provisionSandboxAccount>) {
    this.accounts.addAccount(body);
    return presentAccount(this.environment.provisionAccount(body));
  }

  @Serve(rest.deleteSandboxAccount)
  async remove({ params: { accountId } }: OperationCall<typeof rest.deleteSandboxAccount>) {
    this.accounts.removeAccount(accountId);
    this.environment.removeAccount(accountId);
    return undefined;
  }

  @Serve(rest.listMachines)
  async machines({ params }: OperationCall<typeof rest.listMachines>) {
    return { machines: getAccountSimulation(this.environment, params.accountId).machines.map(presentMachine) };
  }

  @Serve(rest.readMachine)
  async machine({ params }: OperationCall<typeof rest.readMachine>) {
    return presentMachine(this.#getMachine(params));
  }

  @Serve(rest.breakMachine)
  async breakMachine({ params, body }: OperationCall<typeof rest.breakMachine>) {
    const machine = this.#getMachine(params);
    machine.setFaults(body);
    return presentMachine(machine);
  }

  @Serve(resetSandbox)
  async reset(_: OperationCall<typeof resetSandbox>) {
    this.environment.reset();
    return undefined;
  }

  #getMachine({ accountId, tid }: { accountId: string; tid: string }): ConnectedMachine {
    const machine = getAccountSimulation(this.environment, accountId).machines.find(
      (each) => each.machine.model.tid === tid,
    );
    if (machine === undefined) throw new Refusal('terminal_not_found', 'The account has no such machine.');
    return machine;
  }
}

/** The simulation of the account; an unknown account is refused. */
export function getAccountSimulation(environment: SimulatedEnvironment, accountId: string): AccountSimulation {
  const simulation = environment.findAccount(accountId);
  if (simulation === null) throw new Refusal('path_unknown', 'There is no such account in this sandbox.');
  return simulation;
}

function presentAccount({ account, machines, eposStream, eposSockets }: AccountSimulation) {
  const connections = [...(eposStream === null ? [] : [eposStream]), ...eposSockets];
  const { accountId, merchantId, tradingName, currencyCode, amountTriggers, epos } = account;
  return {
    ...{ accountId, merchantId, tradingName, currencyCode, amountTriggers },
    machines: machines.map(({ machine }) => machine.model.tid),
    ...(epos !== undefined && { eposUsername: epos.username }),
    isEposConnected: connections.length > 0 && connections.every((connection) => connection.isConnected()),
  };
}

function presentMachine({ machine }: ConnectedMachine): rest.Machine {
  const { tid, name, behaviour } = machine.model;
  const { faults, runningSessionId, unacknowledged, isConnected } = machine.describe();
  return {
    ...{ tid, name, behaviour, isConnected, unacknowledged, faults },
    inUse: machine.isInUse(),
    ...(runningSessionId !== null && { runningSessionId }),
  };
}
