import type { BillPart, BillView, GuestScreenView, ReceiptView } from '@pos/rest-contracts/sandbox';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { DeviceCallError, type DeviceClient } from './device-client.js';
import { presentBillView, presentReceipt } from './device-messages.js';
import { MachineRefusal } from './operated-machine.js';
import { TablePayment } from './table-payment.js';

/** The device of a payer at one table: it reads the bill and pays parts of it by payment links. */
export class GuestDevice {
  readonly #device: DeviceClient;
  readonly #clock: SimulationClock;
  readonly #table: { readonly sessionId: string; readonly tradingName: string; readonly tableName: string };
  readonly #listeners = new Set<() => void>();
  #bill: BillView | null = null;
  #payment: TablePayment | null = null;

  constructor(parts: {
    readonly device: DeviceClient;
    readonly clock: SimulationClock;
    readonly table: { readonly sessionId: string; readonly tradingName: string; readonly tableName: string };
  }) {
    this.#device = parts.device;
    this.#clock = parts.clock;
    this.#table = parts.table;
  }

  addListener(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get view(): GuestScreenView {
    const { tradingName, tableName } = this.#table;
    return {
      ...{ tradingName, tableName },
      ...(this.#bill !== null && { bill: this.#bill }),
      ...(this.#payment !== null && { payment: this.#payment.view }),
    };
  }

  /** Reads the bill from the gateway. A bill that cannot be read leaves the last one. */
  async readBill(): Promise<void> {
    try {
      const bill = presentBillView(await this.#device.readBill(this.#table.sessionId));
      const isChanged = JSON.stringify(bill) !== JSON.stringify(this.#bill);
      this.#bill = bill;
      if (isChanged) this.#publishChange();
    } catch (error) {
      if (!(error instanceof DeviceCallError)) throw error;
    }
  }

  /** Starts the payment of a part; it waits for the payer at its payment link. */
  startPayment(part: BillPart, gratuity: number): void {
    if (this.#payment?.isOver() === false) throw new MachineRefusal('busy', 'A payment of this device runs.');
    if (this.#bill === null) throw new MachineRefusal('unavailable', 'The bill cannot be read now.');
    const { sessionId } = this.#table;
    const payment = new TablePayment({
      ...{ device: this.#device, clock: this.#clock },
      order: { sessionId, currency: this.#bill.currency, part, gratuity },
      onChange: () => this.#publishChange(),
    });
    this.#payment = payment;
    this.#publishChange();
    void payment.run().then(() => this.readBill());
  }

  async cancelPayment(): Promise<void> {
    if (this.#payment?.isOver() === false) await this.#payment.cancel();
  }

  async printReceipt(): Promise<ReceiptView> {
    if (this.#payment === null) throw new MachineRefusal('unavailable', 'This device has not paid.');
    return presentReceipt(await this.#device.printReceipt(this.#payment.paymentId));
  }

  close(): void {
    this.#device.close();
  }

  #publishChange(): void {
    for (const listener of this.#listeners) listener();
  }
}
