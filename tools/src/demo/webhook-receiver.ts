import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isServiceSignature, isStandardSignature } from '@pos/core/webhook-signatures';
import { WebhookEvent } from '@pos/rest-contracts/webhooks';

/** One webhook with valid signatures. */
export interface ReceivedWebhook {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: WebhookEvent;
}

export interface ReceiverSettings {
  readonly port: number;
  readonly key: string;
  readonly cert: string;
  /** The secret that signs the deliveries, read at each one, because it exists only after the subscription. */
  readonly secret: () => string | null;
  readonly onWebhook: (webhook: ReceivedWebhook) => void;
  /** Called for every webhook that failed its verification. */
  readonly onForgery: (reason: string) => void;
}

/** A server that takes webhooks. */
export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_BYTES_MAX = 256 * 1024;
/** A signed webhook older than this may be a replayed recording. */
const AGE_SECONDS_MAX = 5 * 60;

/** An integrator's endpoint: reads the raw body, checks both signatures over it, and only then answers 204. */
export async function openReceiver(settings: ReceiverSettings): Promise<Receiver> {
  const server = createServer({ key: settings.key, cert: settings.cert }, (request, response) => {
    void receiveWebhook(settings, request, response).catch((error: unknown) => {
      settings.onForgery(error instanceof Error ? error.message : String(error));
      response.writeHead(400).end();
    });
  });
  await listen(server, settings.port);
  return {
    url: `https://${HOST}:${settings.port}/webhooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receiveWebhook(
  settings: ReceiverSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`a webhook of more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const secret = settings.secret();
  if (secret === null) {
    // It arrived between the start of this receiver and the reading of its secret. The worker will send it again.
    response.writeHead(503).end();
    return;
  }
  const refusal = findRefusalReason(request, text, secret);
  if (refusal !== null) {
    settings.onForgery(refusal);
    response.writeHead(401).end();
    return;
  }
  const body = WebhookEvent.parse(JSON.parse(text));
  response.writeHead(204).end();
  settings.onWebhook({
    deliveryId: readHeader(request, 'delivery-id'),
    attempt: Number(readHeader(request, 'delivery-attempt')),
    body,
  });
}

function findRefusalReason(request: IncomingMessage, body: string, secret: string): string | null {
  if (!isServiceSignature(readHeader(request, 'service-signature'), secret, body))
    return 'a service-signature that is wrong';
  const id = readHeader(request, 'webhook-id');
  const timestamp = Number(readHeader(request, 'webhook-timestamp'));
  if (!isStandardSignature(readHeader(request, 'webhook-signature'), secret, { id, timestamp, body })) {
    return 'a webhook-signature that is wrong';
  }
  const nowSeconds = (performance.timeOrigin + performance.now()) / 1000;
  return Math.abs(nowSeconds - timestamp) > AGE_SECONDS_MAX ? 'a webhook-timestamp of another time' : null;
}

function readHeader(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} for the receiver of webhooks is taken; set DEMO_RECEIVER_PORT, also for npm start.`)
          : error,
      );
    });
    server.listen(port, HOST, resolve);
  });
}
