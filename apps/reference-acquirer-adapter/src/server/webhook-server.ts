import { limitConnections } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

interface WebhookServerOptions {
  readonly port: number;
  /** Asks the processor for the payment of an order. */
  readonly onDecided: (orderRef: string) => Promise<void>;
  /** Rejects while the adapter cannot work. */
  readonly requireReady: () => Promise<void>;
  readonly log: Log;
}

const LOOPBACK = '127.0.0.1';
const BODY_BYTES_MAX = 16 * 1024;
const Webhook = z.object({ order_ref: z.string().regex(/^[A-Z0-9]{1,24}$/) });

/** Opens the HTTP port: webhooks of the processor at `/webhooks`, and health. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<{
  readonly port: number;
  readonly close: () => Promise<void>;
}> {
  const server = createServer((request, response) => void serve(request, response, options));
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, options: WebhookServerOptions): Promise<void> {
  response.writeHead(await findStatus(request, options)).end();
}

async function findStatus(request: IncomingMessage, options: WebhookServerOptions): Promise<number> {
  const route = `${request.method ?? ''} ${request.url ?? ''}`;
  try {
    switch (route) {
      case 'GET /health/live':
        return 200;
      case 'GET /health/ready':
        await options.requireReady();
        return 200;
      case 'POST /webhooks': {
        const { data } = Webhook.safeParse(await readJson(request));
        if (data === undefined) return 400;
        await options.onDecided(data.order_ref);
        return 200;
      }
      default:
        return 404;
    }
  } catch (error) {
    options.log.warn('adapter.request_failed', { route, error });
    return 503;
  }
}

/** Null: no JSON, or too long. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}
