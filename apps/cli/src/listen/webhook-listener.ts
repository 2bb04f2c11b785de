import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PosClient, verifyWebhook, type WebhookEvent, WebhookRefusedError, WebhookSignatureError } from '@pos/sdk';
import { type ForwardAnswer, forwardWebhook } from './webhook-forwarder.js';

/** One delivery, as the listener reports it. */
export interface ReceivedDelivery {
  readonly event: WebhookEvent;
  readonly deliveryId: string;
  readonly attempt: number;
  /** Null without a receiver to forward to: the listener itself has answered 204. */
  readonly answer: ForwardAnswer | null;
  readonly isAccepted: boolean;
}

export interface ListenerSettings {
  readonly path: string;
  readonly forwardTo: string | null;
  /** The secrets of the subscription; read again when a signature matches none, as after a replacement. */
  readonly readSecrets: () => Promise<readonly string[]>;
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
  readonly onRefusal: (reason: string) => void;
}

const BODY_BYTES_MAX = 1024 * 1024;
const BAD_GATEWAY = 502;

/** Answers the deliveries of the service with what the receiver behind it answers, so that the service repeats them. */
export class WebhookListener {
  #secrets: readonly string[] = [];

  constructor(private readonly settings: ListenerSettings) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, onDelivery, onRefusal, forwardTo } = this.settings;
    if (request.url !== path || request.method !== 'POST') {
      request.resume();
      response.writeHead(404).end();
      return;
    }
    const raw = await readBody(request);
    if (raw === null) {
      onRefusal(`a body of more than ${BODY_BYTES_MAX} bytes`);
      response.writeHead(413).end();
      return;
    }
    const event = await this.#verify(raw, request.headers);
    if (typeof event === 'string') {
      onRefusal(event);
      response.writeHead(401).end();
      return;
    }
    const answer = forwardTo === null ? null : await forwardWebhook(forwardTo, raw, request.headers);
    const status = answer === null ? 204 : answer.kind === 'answered' ? answer.status : BAD_GATEWAY;
    // An informational status cannot be written as a final one.
    response.writeHead(status < 200 ? BAD_GATEWAY : status).end();
    onDelivery({
      ...{ event, answer, isAccepted: status >= 200 && status < 300 },
      deliveryId: readHeader(request, 'delivery-id'),
      attempt: Number(readHeader(request, 'delivery-attempt')),
    });
  }

  /** The event, or why it is refused. */
  async #verify(raw: Uint8Array, headers: IncomingMessage['headers']): Promise<WebhookEvent | string> {
    try {
      if (this.#secrets.length === 0) this.#secrets = await this.settings.readSecrets();
      return await verifyWebhook(raw, headers, { secrets: this.#secrets }).catch(async (error: unknown) => {
        if (!(error instanceof WebhookSignatureError)) throw error;
        this.#secrets = await this.settings.readSecrets();
        return verifyWebhook(raw, headers, { secrets: this.#secrets });
      });
    } catch (error) {
      if (error instanceof WebhookRefusedError) return error.message;
      throw error;
    }
  }
}

/** The secrets with which deliveries may be signed now. */
export async function readSecrets(client: PosClient, subscriptionId: string): Promise<readonly string[]> {
  return (await client.webhooks.read(subscriptionId)).secrets.map(({ value }) => value);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

function readHeader(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
