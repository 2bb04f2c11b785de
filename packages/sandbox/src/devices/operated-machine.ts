import type {
  BillPart,
  BillView,
  MachineScreenView,
  MachineSwitches,
  ReceiptView,
  TableView,
} from '@pos/rest-contracts/sandbox';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { ConnectedMachine } from '../machines/connected-machine.js';
import type { MachineTap } from '../machines/machine-taps.js';
import type { DeviceClient } from './device-client.js';
import { presentBillView, presentReceipt, presentTableView } from './device-messages.js';
import { presentMachineScreen, presentSessionReceipt } from './machine-screen-view.js';
import { ServiceSessionReader } from './service-session-reader.js';
import { TablePayment } from './table-payment.js';
import type { CounterSaleKind, CounterSalesClient } from './counter-sales-client.js';

/** The machine waits for something else, or cannot do this now. The reason is for the person. */
export class MachineRefusal extends Error {
  override readonly name = 'MachineRefusal';

  constructor(
    readonly kind: 'unavailable' | 'busy',
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** How long after the last page was closed the script continues; a page that is loaded again takes less. */
const DEPARTURE_MS = 3_000;
const SLOW_MS = 4_000;
const LOST_REPLY_MS = 6_000;

/**
 * A simulated card machine in the hands of a person: taps instead of the script, and the waiter's part of its software,
 * which pays tables through the gateway. The script continues some seconds after the last page was closed.
 */
export class OperatedMachine {
  readonly #connected: ConnectedMachine;
  readonly #device: DeviceClient;
  readonly #counterSales: CounterSalesClient | null;
  readonly #clock: SimulationClock;
  readonly #account: { readonly tradingName: string; readonly currencyCode: string };
  readonly #listeners = new Set<() => void>();
  readonly #reader: ServiceSessionReader | null;
  readonly #stopListening: () => void;
  #payment: TablePayment | null = null;
  #pages = 0;

  constructor(parts: {
    readonly connected: ConnectedMachine;
    readonly device: DeviceClient;
    readonly counterSales: CounterSalesClient | null;
    readonly clock: SimulationClock;
    readonly account: { readonly tradingName: string; readonly currencyCode: string };
  }) {
    this.#connected = parts.connected;
    this.#device = parts.device;
    this.#counterSales = parts.counterSales;
    this.#clock = parts.clock;
    this.#account = parts.account;
    const onChange = (): void => this.#publishChange();
    const { counterSales, clock } = parts;
    this.#reader = counterSales === null ? null : new ServiceSessionReader({ counterSales, clock, onChange });
    this.#stopListening = parts.connected.machine.addListener(() => {
      const { session } = parts.connected.machine.describeScreen();
      if (session !== null) this.#reader?.follow(session.sessionId);
      this.#publishChange();
    });
  }

  /** A page of the machine opens. Returns how to close it. */
  openPage(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    this.#pages += 1;
    this.#connected.machine.setOperated(true);
    return () => {
      if (!this.#listeners.delete(onChange)) return;
      this.#pages -= 1;
      this.#clock.scheduleRealTime(DEPARTURE_MS, () => {
        if (this.#pages === 0) this.#connected.machine.setOperated(false);
      });
    };
  }

  get view(): MachineScreenView {
    return presentMachineScreen(this.#connected, {
      account: this.#account,
      serviceSession: this.#reader?.session ?? null,
      payment: this.#payment?.view ?? null,
    });
  }

  /** Throws `MachineRefusal` when the machine waits for something else. */
  tap(tap: MachineTap): void {
    if (!this.#connected.machine.tap(tap))
      throw new MachineRefusal('unavailable', 'The machine does not wait for this.');
  }

  setSwitches({ isUnplugged, isSlow, isBusy, losesReply }: MachineSwitches): void {
    this.#connected.machine.setFaults({
      ...(isSlow && { slowByMs: SLOW_MS }),
      ...(isBusy && { inUse: true }),
      ...(losesReply && { unplug: { when: 'after-approval', forMs: LOST_REPLY_MS } }),
    });
    this.#connected.setUnplugged(isUnplugged);
    this.#publishChange();
  }

  async listTables(): Promise<{ readonly tables: TableView[]; readonly unreadableCount: number }> {
    this.#requireConnection();
    const { sessions, unreadableCount } = await this.#device.listPayableSessions();
    return { tables: sessions.map(presentTableView), unreadableCount };
  }

  async readBill(sessionId: string): Promise<BillView> {
    this.#requireConnection();
    return presentBillView(await this.#device.readBill(sessionId));
  }

  /** Starts the payment of a part of a bill; it continues by itself. */
  startPayment(order: { readonly sessionId: string; readonly part: BillPart; readonly gratuity: number }): void {
    this.#requireIdle();
    const payment = new TablePayment({
      ...{ device: this.#device, clock: this.#clock, order: { ...order, currency: this.#account.currencyCode } },
      onChange: () => this.#publishChange(),
    });
    this.#payment = payment;
    this.#publishChange();
    void payment.run();
  }

  async startSale(amount: number, kind: CounterSaleKind): Promise<void> {
    this.#requireIdle();
    this.#payment = null;
    const { id } = await this.#requireCounterSales().startSession(this.#connected.machine.model.tid, amount, kind);
    this.#reader?.follow(id);
  }

  async cancelPayment(): Promise<void> {
    if (this.#payment?.isOver() === false) await this.#payment.cancel();
    else await this.#requireCounterSales().cancelSession(this.#requireSession());
  }

  async decideSignature(isAccepted: boolean): Promise<void> {
    if (this.#payment?.isOver() === false) await this.#payment.decideSignature(isAccepted);
    else await this.#requireCounterSales().decideSignature(this.#requireSession(), isAccepted);
  }

  async printReceipt(): Promise<ReceiptView> {
    if (this.#payment !== null) return presentReceipt(await this.#device.printReceipt(this.#payment.paymentId));
    const session = await this.#requireCounterSales().readSession(this.#requireSession());
    if (session.customerReceipt === undefined) throw new MachineRefusal('unavailable', 'There is no receipt.');
    return presentSessionReceipt(session.customerReceipt);
  }

  close(): void {
    this.#stopListening();
    this.#reader?.stop();
    this.#device.close();
  }

  #requireConnection(): void {
    if (!this.#connected.isConnected()) throw new MachineRefusal('unavailable', 'The machine has no connection.');
  }

  #requireIdle(): void {
    this.#requireConnection();
    const { session } = this.#connected.machine.describeScreen();
    if (session !== null || this.#payment?.isOver() === false) {
      throw new MachineRefusal('busy', 'A payment runs on the machine.');
    }
  }

  #requireCounterSales(): CounterSalesClient {
    if (this.#counterSales === null)
      throw new MachineRefusal('unavailable', 'The sandbox has no address of the payments API.');
    return this.#counterSales;
  }

  #requireSession(): string {
    const { session, lastOutcome } = this.#connected.machine.describeScreen();
    const sessionId = session?.sessionId ?? lastOutcome?.sessionId;
    if (sessionId === undefined) throw new MachineRefusal('unavailable', 'There is no payment on the machine.');
    return sessionId;
  }

  #publishChange(): void {
    for (const listener of this.#listeners) listener();
  }
}
