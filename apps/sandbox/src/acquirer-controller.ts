import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/sandbox-acquirer';
import { bookingLines, type BookingLine } from '@pos/sandbox/acquirer-list';
import { World } from '@pos/sandbox/world';
import { Serve, type Call } from '@pos/service-kit/serve';

@Controller()
export class AcquirerController {
  constructor(private readonly world: World) {}

  @Serve(rest.listAcquirerRules)
  async list(_: Call<typeof rest.listAcquirerRules>) {
    return { rules: this.world.acquirer.rules.list() };
  }

  @Serve(rest.replaceAcquirerRules)
  async replace({ body }: Call<typeof rest.replaceAcquirerRules>) {
    this.world.acquirer.rules.replace(body.rules);
    return { rules: this.world.acquirer.rules.list() };
  }

  @Serve(rest.clearAcquirerRules)
  async clear(_: Call<typeof rest.clearAcquirerRules>) {
    this.world.acquirer.rules.replace([]);
    return undefined;
  }

  @Serve(rest.listAcquirerBookings)
  async bookings({ query }: Call<typeof rest.listAcquirerBookings>) {
    const { merchantId, reference } = query;
    const lines = bookingLines(this.world.acquirer.acquirer.books, this.world.clock.now()).filter(
      (line) =>
        (merchantId === undefined || line.merchantId === merchantId) &&
        (reference === undefined || line.reference === reference || line.originalReference === reference),
    );
    return { bookings: lines.map(presentLine) };
  }
}

function presentLine({ reference, kind, merchantId, amount, status, transactionId, ...line }: BookingLine) {
  return {
    ...{ reference, kind, merchantId, amount, status, transactionId },
    bookedAt: line.bookedAt.toISOString(),
    ...(line.originalReference !== null && { originalReference: line.originalReference }),
    ...(line.terminalId !== null && { terminalId: line.terminalId }),
  };
}
