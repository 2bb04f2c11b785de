import type * as rest from '@pos/rest-contracts/sandbox';
import type { createTableLink } from '@pos/rest-contracts/sandbox';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import { callSandbox } from '../../restaurant/sandbox-request.js';

type MachineTap = SentBodyOf<typeof rest.tapMachine>;
type NewTablePayment = SentBodyOf<typeof rest.startTablePayment>;
type NewCounterSale = SentBodyOf<typeof rest.startCounterSale>;

/** The requests of one machine's page. */
export class MachineClient {
  readonly #path: string;

  constructor(accountId: string, tid: string) {
    this.#path = `/machines/${encodeURIComponent(accountId)}/${encodeURIComponent(tid)}`;
  }

  get eventsPath(): string {
    return `${this.#path}/screen/events`;
  }

  async tap(body: MachineTap): Promise<void> {
    await callSandbox<typeof rest.tapMachine>({ method: 'POST', path: `${this.#path}/taps`, body });
  }

  async setSwitches(body: rest.MachineSwitches): Promise<void> {
    await callSandbox<typeof rest.setMachineSwitches>({ method: 'PUT', path: `${this.#path}/switches`, body });
  }

  async listTables() {
    const path = `${this.#path}/tables`;
    return callSandbox<typeof rest.listMachineTables>({ method: 'GET', path });
  }

  async readBill(sessionId: string) {
    const path = `${this.#path}/tables/${encodeURIComponent(sessionId)}`;
    return callSandbox<typeof rest.readMachineBill>({ method: 'GET', path });
  }

  async createTableLink(sessionId: string) {
    const path = `${this.#path}/table-links`;
    return callSandbox<typeof createTableLink>({ method: 'POST', path, body: { sessionId } });
  }

  async pay(body: NewTablePayment): Promise<void> {
    await callSandbox<typeof rest.startTablePayment>({ method: 'POST', path: `${this.#path}/payments`, body });
  }

  async sell(body: NewCounterSale): Promise<void> {
    await callSandbox<typeof rest.startCounterSale>({ method: 'POST', path: `${this.#path}/sales`, body });
  }

  async cancelPayment(): Promise<void> {
    await callSandbox<typeof rest.cancelMachinePayment>({ method: 'POST', path: `${this.#path}/cancel` });
  }

  async decideSignature(isAccepted: boolean): Promise<void> {
    const body = { isAccepted };
    await callSandbox<typeof rest.answerMachineSignature>({ method: 'POST', path: `${this.#path}/signature`, body });
  }

  async readReceipt() {
    return callSandbox<typeof rest.readMachineReceipt>({ method: 'GET', path: `${this.#path}/receipt` });
  }
}
