import { buildAddress, type SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/sandbox';
import { callSandbox } from '../../restaurant/sandbox-request.js';

/** The requests of one machine's page. */
export class MachineClient {
  readonly #params: { readonly accountId: string; readonly tid: string };

  constructor(accountId: string, tid: string) {
    this.#params = { accountId, tid };
  }

  get eventsPath(): string {
    return `${buildAddress(rest.readMachineScreen, { params: this.#params })}/events`;
  }

  async tap(body: SentBodyOf<typeof rest.tapMachine>): Promise<void> {
    await callSandbox(rest.tapMachine, { params: this.#params, body });
  }

  async setSwitches(body: rest.MachineSwitches): Promise<void> {
    await callSandbox(rest.setMachineSwitches, { params: this.#params, body });
  }

  async listTables() {
    return callSandbox(rest.listMachineTables, { params: this.#params });
  }

  async readBill(sessionId: string) {
    return callSandbox(rest.readMachineBill, { params: { ...this.#params, sessionId } });
  }

  async createTableLink(sessionId: string) {
    return callSandbox(rest.createTableLink, { params: this.#params, body: { sessionId } });
  }

  async pay(body: SentBodyOf<typeof rest.startTablePayment>): Promise<void> {
    await callSandbox(rest.startTablePayment, { params: this.#params, body });
  }

  async sell(body: SentBodyOf<typeof rest.startCounterSale>): Promise<void> {
    await callSandbox(rest.startCounterSale, { params: this.#params, body });
  }

  async cancelPayment(): Promise<void> {
    await callSandbox(rest.cancelMachinePayment, { params: this.#params });
  }

  async decideSignature(isAccepted: boolean): Promise<void> {
    await callSandbox(rest.answerMachineSignature, { params: this.#params, body: { isAccepted } });
  }

  async readReceipt() {
    return callSandbox(rest.readMachineReceipt, { params: this.#params });
  }
}
