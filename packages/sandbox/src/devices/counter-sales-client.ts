import { openClient, type Client } from '@pos/rest-contracts/client';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import {
  cancelTerminalSession,
  createTerminalSession,
  decideSignature,
  readTerminalSession,
} from '@pos/rest-contracts/terminal-sessions';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { listTerminals } from '@pos/rest-contracts/accounts';

/** A session of a card machine, as the payments API returns it. */
export type CounterSaleSession = ReturnsOf<typeof readTerminalSession>;

/** What an integrator starts on a card machine at the counter. */
export type CounterSaleKind = 'sale' | 'authorisation' | 'refund';

const RESELLER = 'sandbox-reseller';

/** Starts sales and refunds of an account on a card machine by the payments API, as an integrator does. */
export class CounterSalesClient {
  readonly #api: Client;
  readonly #currencyCode: string;

  constructor(parts: { apiUrl: string; apiKey: string; softwareHouseId: string; currencyCode: string }) {
    const { apiUrl, apiKey, softwareHouseId } = parts;
    this.#api = openClient({ baseUrl: apiUrl.replace(/\/+$/, ''), apiKey, softwareHouseId, resellerId: RESELLER });
    this.#currencyCode = parts.currencyCode;
  }

  /** Starts a session on the machine. Throws `ProblemError` when the service refuses. */
  async startSession(tid: string, amount: number, kind: CounterSaleKind): Promise<CounterSaleSession> {
    const terminalId = await this.#findTerminalId(tid);
    const money = { value: amount, currencyCode: this.#currencyCode };
    if (kind === 'refund') {
      const details = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: money } } as const;
      return this.#api(createTerminalSession, { body: { terminalId, details } });
    }
    const captureMode = kind === 'sale' ? 'Auto' : 'Manual';
    const { id } = await this.#api(createPaymentIntent, { body: { amount: money, captureMode, reference: 'Counter' } });
    const details = { sessionType: 'Sale', sale: { paymentIntentId: id } } as const;
    return this.#api(createTerminalSession, { body: { terminalId, details } });
  }

  async readSession(terminalSessionId: string): Promise<CounterSaleSession> {
    return this.#api(readTerminalSession, { params: { terminalSessionId } });
  }

  async cancelSession(terminalSessionId: string): Promise<void> {
    await this.#api(cancelTerminalSession, { params: { terminalSessionId } });
  }

  async decideSignature(terminalSessionId: string, accepted: boolean): Promise<void> {
    await this.#api(decideSignature, { params: { terminalSessionId }, body: { accepted } });
  }

  async #findTerminalId(tid: string): Promise<string> {
    const terminals = await this.#api(listTerminals, {});
    const terminal = terminals.find(({ properties }) => properties.tid === tid);
    if (terminal === undefined) throw new Error(`the account has no terminal ${tid}`);
    return terminal.id;
  }
}
