import { Controller } from '@nestjs/common';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/sandbox';
import { type BookingLine, listBookingLines, readAcquirerSwitches, setAcquirerSwitches } from '@pos/sandbox/acquirer';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { getAccountSimulation } from './account-controller.js';

@Controller()
export class AcquirerController {
  constructor(private readonly environment: SimulatedEnvironment) {}

  @Serve(rest.listAcquirerRules)
  async list(_: OperationCall<typeof rest.listAcquirerRules>): Promise<ReturnsOf<typeof rest.listAcquirerRules>> {
    return { rules: this.environment.acquirerSimulator.rules.listRules() };
  }

  @Serve(rest.replaceAcquirerRules)
  async replace({
    body,
  }: OperationCall<typeof rest.replaceAcquirerRules>): Promise<ReturnsOf<typeof rest.replaceAcquirerRules>> {
    this.environment.acquirerSimulator.rules.replaceRules(body.rules);
    return { rules: this.environment.acquirerSimulator.rules.listRules() };
  }

  @Serve(rest.clearAcquirerRules)
  async clear(_: OperationCall<typeof rest.clearAcquirerRules>) {
    this.environment.acquirerSimulator.rules.replaceRules([]);
    return undefined;
  }

  @Serve(rest.readAcquirerCapabilities)
  async readCapabilities(_: OperationCall<typeof rest.readAcquirerCapabilities>) {
    return this.#presentCapabilities();
  }

  @Serve(rest.limitAcquirerCapabilities)
  async limitCapabilities({ body }: OperationCall<typeof rest.limitAcquirerCapabilities>) {
    this.environment.acquirerSimulator.capabilities.limit(body);
    return this.#presentCapabilities();
  }

  @Serve(rest.resetAcquirerCapabilities)
  async resetCapabilities(_: OperationCall<typeof rest.resetAcquirerCapabilities>) {
    this.environment.acquirerSimulator.capabilities.reset();
    return undefined;
  }

  @Serve(rest.listAcquirerBookings)
  async bookings({ query }: OperationCall<typeof rest.listAcquirerBookings>) {
    const { merchantId, reference } = query;
    const lines = listBookingLines(
      this.environment.acquirerSimulator.acquirer.books,
      this.environment.clock.now(),
    ).filter(
      (line) =>
        (merchantId === undefined || line.merchantId === merchantId) &&
        (reference === undefined || line.reference === reference || line.originalReference === reference),
    );
    return { bookings: lines.map(presentBooking) };
  }

  @Serve(rest.readAcquirerSwitches)
  async readSwitches({ params }: OperationCall<typeof rest.readAcquirerSwitches>) {
    return readAcquirerSwitches(this.environment.acquirerSimulator.rules, this.#getMerchantId(params.accountId));
  }

  @Serve(rest.setAcquirerSwitches)
  async setSwitches({ params, body }: OperationCall<typeof rest.setAcquirerSwitches>) {
    const { rules } = this.environment.acquirerSimulator;
    const merchantId = this.#getMerchantId(params.accountId);
    setAcquirerSwitches(rules, merchantId, body);
    return readAcquirerSwitches(rules, merchantId);
  }

  #getMerchantId(accountId: string): string {
    return getAccountSimulation(this.environment, accountId).account.merchantId;
  }

  #presentCapabilities() {
    const {
      adapterName: _name,
      adapterVersion: _version,
      ...declared
    } = this.environment.acquirerSimulator.capabilities.declared;
    return {
      ...declared,
      currencies: declared.currencies === null ? null : [...declared.currencies],
      cardSchemes: declared.cardSchemes === null ? null : [...declared.cardSchemes],
      wallets: [...declared.wallets],
    };
  }
}

type Booking = ReturnsOf<typeof rest.listAcquirerBookings>['bookings'][number];

function presentBooking({ reference, kind, merchantId, amount, status, transactionId, ...line }: BookingLine): Booking {
  return {
    ...{ reference, kind, merchantId, amount, status, transactionId },
    bookedAt: line.bookedAt.toISOString(),
    ...(line.originalReference !== null && { originalReference: line.originalReference }),
    ...(line.terminalId !== null && { terminalId: line.terminalId }),
  };
}
