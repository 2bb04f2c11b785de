import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusal';
import * as rest from '@pos/rest-contracts/sandbox-accounts';
import { resetSandbox } from '@pos/rest-contracts/sandbox-control';
import type { ConnectedMachine } from '@pos/sandbox/machine-connection';
import { World, type WorldPlace } from '@pos/sandbox/world';
import { Serve, type Call } from '@pos/service-kit/serve';
import { AccountFile } from './account-file.js';

@Controller()
export class AccountController {
  constructor(
    private readonly world: World,
    private readonly accounts: AccountFile,
  ) {}

  @Serve(rest.listSandboxAccounts)
  async list(_: Call<typeof rest.listSandboxAccounts>) {
    return { accounts: this.world.places().map(presentAccount) };
  }

  @Serve(rest.provisionSandboxAccount)
  async provision({ body }: Call<typeof rest.provisionSandboxAccount>) {
    this.accounts.add(body);
    return presentAccount(this.world.provision(body));
  }

  @Serve(rest.listMachines)
  async machines({ params }: Call<typeof rest.listMachines>) {
    return { machines: getPlace(this.world, params.accountId).machines.map(presentMachine) };
  }

  @Serve(rest.readMachine)
  async machine({ params }: Call<typeof rest.readMachine>) {
    return presentMachine(this.#getMachine(params));
  }

  @Serve(rest.breakMachine)
  async breakMachine({ params, body }: Call<typeof rest.breakMachine>) {
    const machine = this.#getMachine(params);
    machine.setFaults(body);
    return presentMachine(machine);
  }

  @Serve(resetSandbox)
  async reset(_: Call<typeof resetSandbox>) {
    this.world.reset();
    return undefined;
  }

  #getMachine({ accountId, tid }: { accountId: string; tid: string }): ConnectedMachine {
    const machine = getPlace(this.world, accountId).machines.find((each) => each.machine.model.tid === tid);
    if (machine === undefined) throw new Refusal('terminal_not_found', 'The account has no such machine.');
    return machine;
  }
}

/** What stands in the sandbox for the account; an unknown one is refused. */
export function getPlace(world: World, accountId: string): WorldPlace {
  const place = world.find(accountId);
  if (place === null) throw new Refusal('path_unknown', 'There is no such account in this sandbox.');
  return place;
}

function presentAccount({ account, machines, eposStream, eposSockets }: WorldPlace) {
  const lines = [...(eposStream === null ? [] : [eposStream]), ...eposSockets];
  const { accountId, merchantId, tradingName, currencyCode, amountTriggers, epos } = account;
  return {
    ...{ accountId, merchantId, tradingName, currencyCode, amountTriggers },
    machines: machines.map(({ machine }) => machine.model.tid),
    ...(epos !== undefined && { eposUsername: epos.username }),
    isEposConnected: lines.length > 0 && lines.every((line) => line.isServing()),
  };
}

function presentMachine({ machine }: ConnectedMachine) {
  const { tid, name, behaviour } = machine.model;
  const { faults, runningSessionId, unacknowledged, isConnected } = machine.describe();
  return {
    ...{ tid, name, behaviour, isConnected, unacknowledged, faults },
    inUse: machine.isInUse(),
    ...(runningSessionId !== null && { runningSessionId }),
  };
}
