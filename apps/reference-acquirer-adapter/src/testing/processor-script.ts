import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of the first request that books. */
export type FirstFate = 'booked, connection lost' | 'booked, error 500' | 'booked, 503 of a proxy' | 'lost' | 'down';
/** How the processor answers every later one. `declined` is a payment; the others are refusals. */
export type SecondAnswer = '409' | '404' | '422' | '400' | 'declined';

const CODES = {
  '409': 'duplicate_order',
  '404': 'unknown_merchant',
  '422': 'operation_refused',
  '400': 'malformed',
} as const;
const AT = '2026-03-01T19:00:00.000Z';
const CARD = { bin: '445653', last4: '1014', brand: 'visa', expiry: '12/2099', holder: 'A' };

interface Order {
  readonly order_ref: string;
  readonly op_ref?: string;
  readonly amount: string;
  readonly currency: string;
}

/**
 * A processor of one payment whose first request has a given fate and whose later ones are answered alike. Its lookups lag:
 * the first after the first request does not show what that has booked.
 */
export class ProcessorScript {
  readonly #server: Server;
  #fate: FirstFate | null = null;
  #isScripted = false;
  #second: SecondAnswer = '409';
  #payment: Readonly<Record<string, unknown>> | null = null;
  #visible: Readonly<Record<string, unknown>> | null = null;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<ProcessorScript> {
    const processor = new ProcessorScript();
    await new Promise<void>((resolve) => processor.#server.listen(0, '127.0.0.1', resolve));
    return processor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the fate of the next request that books, and the answer to those after it. Null: all are booked and answered. */
  script(fate: FirstFate | null, second: SecondAnswer = '409'): void {
    this.#fate = fate;
    this.#second = second;
    this.#isScripted = fate !== null;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const payments = this.#visible === null ? [] : [this.#visible];
      this.#visible = this.#payment;
      const own = payments.filter(({ order_ref }) => request.url?.endsWith(String(order_ref)));
      send(response, 200, { payments: own });
      return;
    }
    const order = JSON.parse(await readText(request)) as Order;
    const fate = this.#fate;
    this.#fate = null;
    if (fate !== null) this.#serveFirst(order, fate, response);
    else if (this.#isScripted) this.#serveLater(order, response);
    else send(response, 200, (this.#visible = this.#book(order, 'authorized')));
  }

  #serveFirst(order: Order, fate: FirstFate, response: ServerResponse): void {
    if (fate.startsWith('booked')) this.#book(order, 'authorized');
    if (fate === 'down') send(response, 503, { error: 'down' });
    else if (fate === 'booked, 503 of a proxy') send(response, 503, { message: 'upstream timed out' });
    else if (fate === 'booked, error 500') send(response, 500, { error: 'internal' });
    else response.destroy();
  }

  #serveLater(order: Order, response: ServerResponse): void {
    if (this.#second !== 'declined') {
      send(response, Number(this.#second), { error: CODES[this.#second] });
      return;
    }
    // The decline of a repeat is about the repeat: the payment of the first request stays as it is.
    const booked = this.#payment?.['order_ref'] === order.order_ref ? this.#payment : this.#book(order, 'declined');
    send(response, 200, { ...booked, status: 'declined' });
  }

  #book(order: Order, status: 'authorized' | 'declined'): Readonly<Record<string, unknown>> {
    const operation = { op_ref: order.op_ref, type: 'capture', amount: order.amount, at: AT };
    const created = {
      ...{ id: `pay_${order.order_ref}`, order_ref: order.order_ref, amount: order.amount, currency: order.currency },
      ...{ status, auth_code: 'A1', decided_at: AT, card: CARD, challenge: null, challenge_passed: false },
      operations: [],
    };
    this.#payment = order.op_ref === undefined ? created : { ...this.#payment, operations: [operation] };
    return this.#payment;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
