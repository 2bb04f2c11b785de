import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/sandbox';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { GuestScreens } from './guest-screens.js';
import { MachineScreens, refuseAsPage } from './machine-screens.js';

/** What the page of a payer asks for, and the link to it. */
@Controller()
export class GuestScreenController {
  constructor(
    private readonly guests: GuestScreens,
    private readonly machines: MachineScreens,
  ) {}

  @Serve(rest.createTableLink)
  async createLink({ params, body }: OperationCall<typeof rest.createTableLink>) {
    this.machines.getScreen(params);
    return this.guests.createLink(params.accountId, body.sessionId);
  }

  @Serve(rest.readGuestScreen)
  async read({ params }: OperationCall<typeof rest.readGuestScreen>) {
    const device = this.guests.getDevice(params.token);
    await device.readBill();
    return device.view;
  }

  @Serve(rest.startGuestPayment)
  async pay({ params, body }: OperationCall<typeof rest.startGuestPayment>) {
    const device = this.guests.getDevice(params.token);
    await device.readBill();
    await refuseAsPage(() => device.startPayment(body.part, body.gratuity));
    return device.view;
  }

  @Serve(rest.cancelGuestPayment)
  async cancel({ params }: OperationCall<typeof rest.cancelGuestPayment>) {
    const device = this.guests.getDevice(params.token);
    await refuseAsPage(() => device.cancelPayment());
    return device.view;
  }

  @Serve(rest.readGuestReceipt)
  async receipt({ params }: OperationCall<typeof rest.readGuestReceipt>) {
    return refuseAsPage(() => this.guests.getDevice(params.token).printReceipt());
  }
}
