import { Controller } from '@nestjs/common';
import { createViolation, Refusal } from '@pos/core/refusals';
import * as rest from '@pos/rest-contracts/sandbox';
import { EposRefusal } from '@pos/sandbox/epos';
import { presentEposScreen, setEposSwitches } from '@pos/sandbox/epos-screen';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { DISHES, type Dish } from '@pos/sandbox/restaurant';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { getEpos } from '../control/epos-controller.js';

/** What the kitchen's page asks for, and what the staff do. */
@Controller()
export class EposScreenController {
  constructor(private readonly environment: SimulatedEnvironment) {}

  @Serve(rest.readEposScreen)
  async read({ params }: OperationCall<typeof rest.readEposScreen>) {
    return readEposScreen(this.environment, params.accountId);
  }

  @Serve(rest.setEposSwitches)
  async setSwitches({ params, body }: OperationCall<typeof rest.setEposSwitches>) {
    setEposSwitches(getEpos(this.environment, params.accountId), body);
    return readEposScreen(this.environment, params.accountId);
  }

  @Serve(rest.addEposCourse)
  async addCourse({ params, body }: OperationCall<typeof rest.addEposCourse>) {
    const simulator = getEpos(this.environment, params.accountId);
    const dishes = body.dishes.map((plu, index) => getDish(plu, `dishes[${index}]`));
    try {
      simulator.epos.addCourse(params.sessionId, dishes);
    } catch (error) {
      throw error instanceof EposRefusal ? toRefusal(error) : error;
    }
    simulator.saveState();
    return readEposScreen(this.environment, params.accountId);
  }
}

/** What the kitchen's page shows of an account's EPOS. */
export function readEposScreen(environment: SimulatedEnvironment, accountId: string) {
  const simulator = getEpos(environment, accountId);
  return presentEposScreen(simulator, environment.findAccount(accountId)?.account.tradingName ?? '');
}

function getDish(plu: string, member: string): Dish {
  const dish = DISHES.find((each) => each.plu === plu);
  if (dish === undefined) throw createViolation('validation_failed', member, 'Must be a number of the menu.');
  return dish;
}

function toRefusal({ code, reason }: EposRefusal): Refusal {
  if (code === 'SESSION_ALREADY_LOCKED') return new Refusal('journey_busy', reason);
  return new Refusal(code === 'SESSION_NO_SUCH_SESSION' ? 'path_unknown' : 'journey_over', reason);
}
