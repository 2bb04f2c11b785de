import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/sandbox';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { MachineScreens, refuseAsPage } from './machine-screens.js';

/** What the page of a machine asks for, and what its person does. */
@Controller()
export class MachineScreenController {
  constructor(private readonly screens: MachineScreens) {}

  @Serve(rest.readMachineScreen)
  async read({ params }: OperationCall<typeof rest.readMachineScreen>) {
    return this.screens.getScreen(params).view;
  }

  @Serve(rest.tapMachine)
  async tap({ params, body }: OperationCall<typeof rest.tapMachine>) {
    const screen = this.screens.getScreen(params);
    await refuseAsPage(() => screen.tap(body));
    return screen.view;
  }

  @Serve(rest.setMachineSwitches)
  async setSwitches({ params, body }: OperationCall<typeof rest.setMachineSwitches>) {
    const screen = this.screens.getScreen(params);
    screen.setSwitches(body);
    return screen.view;
  }

  @Serve(rest.listMachineTables)
  async tables({ params }: OperationCall<typeof rest.listMachineTables>) {
    return refuseAsPage(() => this.screens.getScreen(params).listTables());
  }

  @Serve(rest.readMachineBill)
  async bill({ params }: OperationCall<typeof rest.readMachineBill>) {
    return refuseAsPage(() => this.screens.getScreen(params).readBill(params.sessionId));
  }

  @Serve(rest.startTablePayment)
  async pay({ params, body }: OperationCall<typeof rest.startTablePayment>) {
    const screen = this.screens.getScreen(params);
    await refuseAsPage(() => screen.startPayment(body));
    return screen.view;
  }

  @Serve(rest.startCounterSale)
  async sell({ params, body }: OperationCall<typeof rest.startCounterSale>) {
    const screen = this.screens.getScreen(params);
    await refuseAsPage(() => screen.startSale(body.amount, body.kind));
    return screen.view;
  }

  @Serve(rest.cancelMachinePayment)
  async cancel({ params }: OperationCall<typeof rest.cancelMachinePayment>) {
    const screen = this.screens.getScreen(params);
    await refuseAsPage(() => screen.cancelPayment());
    return screen.view;
  }

  @Serve(rest.answerMachineSignature)
  async decideSignature({ params, body }: OperationCall<typeof rest.answerMachineSignature>) {
    const screen = this.screens.getScreen(params);
    await refuseAsPage(() => screen.decideSignature(body.isAccepted));
    return screen.view;
  }

  @Serve(rest.readMachineReceipt)
  async receipt({ params }: OperationCall<typeof rest.readMachineReceipt>) {
    return refuseAsPage(() => this.screens.getScreen(params).printReceipt());
  }
}
