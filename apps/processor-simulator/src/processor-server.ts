import { limitConnections } from '@pos/service-kit/network';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { FaultSwitches, Faults } from './faults.js';
import { Ledger, type Payment, ProcessorRefusal } from './ledger.js';

interface ProcessorOptions {
  readonly port: number;
  readonly webhookUrl: string | null;
  readonly decisionDelayMs: number;
  readonly now: () => Date;
}

const LOOPBACK = '127.0.0.1';
const BODY_BYTES_MAX = 64 * 1024;
const LIST_MAX = 500;

const PaymentOrder = z.strictObject({
  order_ref: z.string(),
  merchant: z.string(),
  amount: z.string(),
  currency: z.string(),
  sale: z.boolean(),
  cardholder_present: z.boolean(),
  challenge_allowed: z.boolean(),
  card: z.strictObject({ pan: z.string(), expiry: z.string(), cvc: z.string(), holder: z.string() }),
});
const OperationOrder = z.strictObject({
  op_ref: z.string(),
  type: z.enum(['capture', 'refund', 'increment', 'void', 'release']),
  amount: z.string().nullable(),
});
const ChallengeAnswer = z.strictObject({ data: z.string(), answer: z.string() });

/** Starts the simulated processor on loopback. */
export async function startProcessor(options: ProcessorOptions): Promise<{
  readonly url: string;
  readonly close: () => Promise<void>;
}> {
  const faults = new FaultSwitches();
  const timers = new Set<NodeJS.Timeout>();
  const ledger = new Ledger({
    now: options.now,
    decideLater: (work) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, options.decisionDelayMs);
      timers.add(timer);
    },
    onDecided: (payment) => void publish(payment, { faults, webhookUrl: options.webhookUrl }),
  });
  const server = createServer((request, response) => void serve({ request, response, ledger, faults }));
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly ledger: Ledger;
  readonly faults: FaultSwitches;
}

async function serve(exchange: Exchange): Promise<void> {
  const { request, response, faults } = exchange;
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`);
  try {
    if (url.pathname === '/faults' && request.method === 'PUT') {
      faults.replace(Faults.parse(await readBody(request)));
      send(response, 204, null);
    } else if (url.pathname === '/health') {
      send(response, 200, { status: 'ok' });
    } else if (faults.occurs('down')) {
      send(response, 503, { error: 'down' });
    } else {
      distort(exchange, await answerRequest(exchange, url));
    }
  } catch (error) {
    const { status, code } = describeRefusal(error);
    send(response, status, { error: code });
  }
}

function describeRefusal(error: unknown): { readonly status: number; readonly code: string } {
  if (error instanceof ProcessorRefusal) return error;
  const isMalformed = error instanceof z.ZodError || error instanceof SyntaxError;
  return isMalformed ? { status: 400, code: 'malformed' } : { status: 500, code: 'defect' };
}

async function answerRequest({ request, ledger, faults }: Exchange, url: URL): Promise<unknown> {
  const [, resource = '', id = '', part = ''] = url.pathname.split('/');
  const { searchParams: query } = url;
  const route = `${request.method} ${resource}${id === '' ? '' : '/id'}${part === '' ? '' : `/${part}`}`;
  switch (route) {
    case 'POST payments': {
      const order = PaymentOrder.parse(await readBody(request));
      const repeated = ledger.findByOrder(order.order_ref);
      if (repeated !== null && faults.occurs('repeat-declined')) return { ...repeated, status: 'declined' };
      if (repeated !== null && faults.occurs('repeat-refused')) throw new ProcessorRefusal(404, 'unknown_merchant');
      const isChallenged = !order.challenge_allowed && faults.occurs('challenge-forced');
      return ledger.createPayment(isChallenged ? { ...order, challenge_allowed: true } : order);
    }
    case 'GET payments': {
      const booked = ledger.findByOrder(query.get('order_ref') ?? '');
      const found = booked !== null && faults.occurs('lookup-empty') ? null : booked;
      return { payments: found === null ? [] : [found] };
    }
    case 'GET payments/id':
      return ledger.get(id);
    case 'POST payments/id/operations': {
      const order = OperationOrder.parse(await readBody(request));
      const isRepeat = ledger.get(id).operations.some(({ op_ref }) => op_ref === order.op_ref);
      if (isRepeat && faults.occurs('repeat-refused')) throw new ProcessorRefusal(422, 'operation_refused');
      return ledger.operate(id, order);
    }
    case 'POST payments/id/challenge': {
      const answer = ChallengeAnswer.parse(await readBody(request));
      return ledger.answerChallenge(id, { ...answer, isLate: faults.occurs('challenge-late') });
    }
    case 'GET entries': {
      const limit = Math.min(LIST_MAX, Number(query.get('limit') ?? LIST_MAX));
      const [from, to] = [new Date(query.get('from') ?? ''), new Date(query.get('to') ?? '')];
      const found = { merchant: query.get('merchant') ?? '', from, to, after: Number(query.get('after') ?? 0) };
      return { entries: ledger.list({ ...found, limit }) };
    }
    default:
      throw new ProcessorRefusal(404, 'unknown_path');
  }
}

/** Sends the answer, or what a fault makes of it. */
function distort({ response, faults, ledger }: Exchange, answer: unknown): void {
  if (faults.occurs('drop-answer')) {
    response.destroy();
  } else if (faults.occurs('error-after-booking')) {
    send(response, 500, { error: 'internal' });
  } else if (faults.occurs('garbage')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>502 Bad Gateway');
  } else if (isPayment(answer) && faults.occurs('other-payment')) {
    send(response, 200, { ...answer, ...pickOther(ledger, answer) });
  } else if (isPayment(answer) && faults.occurs('wrong-amount')) {
    send(response, 200, { ...answer, amount: `9${answer.amount}` });
  } else {
    send(response, 200, answer);
  }
}

function pickOther(ledger: Ledger, { id }: Payment): Partial<Payment> {
  const first = 'pay_00000001';
  return id === first ? { id: 'pay_99999999', order_ref: 'OTHER' } : ledger.get(first);
}

function isPayment(answer: unknown): answer is Payment {
  return typeof answer === 'object' && answer !== null && 'order_ref' in answer;
}

/** Sends a decision to the caller's webhook. It may arrive twice, late, out of order, or never. */
async function publish(
  payment: Payment,
  { faults, webhookUrl }: { readonly faults: FaultSwitches; readonly webhookUrl: string | null },
): Promise<void> {
  if (webhookUrl === null || faults.occurs('webhook-lost')) return;
  const states = [payment.status];
  if (faults.occurs('webhook-twice')) states.push(payment.status);
  if (faults.occurs('webhook-stale')) states.push('pending');
  for (const status of states) {
    const body = JSON.stringify({ payment_id: payment.id, order_ref: payment.order_ref, status });
    // The processor does not repeat a webhook that is not accepted.
    await fetch(webhookUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
      () => undefined,
    );
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new ProcessorRefusal(400, 'too_large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body === null ? '' : JSON.stringify(body));
}
