import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';

/** One webhook as it arrived. */
export interface ReceivedHook {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string;
  /** Its terminal session, or its intent when it has no session. */
  readonly subjectId: string;
  readonly state: string;
  readonly body: string;
  readonly attempt: number;
  /** False: the receiver refused it on request, so it will be sent again. */
  readonly isTaken: boolean;
}

const HOST = '127.0.0.1';
const AGE_SECONDS_MAX = 300;

/**
 * An integrator's endpoint over TLS. It uses only published knowledge: it computes both signatures by itself, and
 * stores all webhooks in order of arrival.
 */
export class HookReceiver {
  readonly hooks: ReceivedHook[] = [];
  /** The webhooks that failed their verification. */
  readonly forgeries: string[] = [];
  readonly #secrets = new Map<string, string>();
  readonly #server: Server;
  #refusals = 0;
  #isRefusingAll = false;

  private constructor(
    private readonly port: number,
    files: { readonly key: string; readonly cert: string },
  ) {
    this.#server = createServer({ ...files }, (request, response) => {
      void this.#receive(request).then((code) => response.writeHead(code).end());
    });
  }

  static async open(port: number, files: { readonly key: string; readonly cert: string }): Promise<HookReceiver> {
    const receiver = new HookReceiver(port, { key: files.key, cert: files.cert });
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject);
      receiver.#server.listen(port, HOST, resolve);
    });
    return receiver;
  }

  url(accountId: string): string {
    return `https://${HOST}:${this.port}/hooks/${accountId}`;
  }

  addSecret(accountId: string, secret: string): void {
    this.#secrets.set(accountId, secret);
  }

  /** Answers every delivery with 503, until it is called again with false. */
  refuseAll(isRefusing: boolean): void {
    this.#isRefusingAll = isRefusing;
  }

  /** Answers the next deliveries about terminal sessions with 503. */
  refuseNext(times: number): void {
    this.#refusals = times;
  }

  /** How many of those are left. */
  get refusalsLeft(): number {
    return this.#refusals;
  }

  /** The webhooks of a session or intent, in the order of their first acceptance. */
  taken(subjectId: string): ReceivedHook[] {
    const seen = new Set<string>();
    return this.hooks.filter((hook) => {
      if (hook.subjectId !== subjectId || !hook.isTaken || seen.has(hook.id)) return false;
      seen.add(hook.id);
      return true;
    });
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const accountId = (request.url ?? '').replace('/hooks/', '');
    const secret = this.#secrets.get(accountId) ?? '';
    if (!isSigned(request, body, secret) || !isSignedInTheStandardWay(request, body, secret)) {
      this.forgeries.push(body);
      return 401;
    }
    const { id, event, accountId: named, data } = JSON.parse(body) as Envelope;
    const isRefused = this.#refusals > 0 && data.terminalSessionId !== undefined;
    if (isRefused) this.#refusals -= 1;
    const isTaken = !isRefused && !this.#isRefusingAll;
    this.hooks.push({
      ...{ id, kind: event, accountId: named, body, isTaken },
      attempt: Number(header(request, 'delivery-attempt')),
      subjectId: data.terminalSessionId ?? data.paymentIntentId ?? '',
      state: data.state ?? data.paymentStatus ?? '',
    });
    return isTaken ? 200 : 503;
  }
}

interface Envelope {
  readonly id: string;
  readonly event: string;
  readonly accountId: string;
  readonly data: {
    readonly terminalSessionId?: string;
    readonly paymentIntentId?: string;
    readonly state?: string;
    readonly paymentStatus?: string;
  };
}

/** Upper-case hex bytes joined by dashes, over the raw body. */
function isSigned(request: IncomingMessage, body: string, secret: string): boolean {
  const digest = createHmac('sha256', secret).update(body).digest('hex').toUpperCase();
  return isSame(header(request, 'service-signature'), `sha256=${(digest.match(/../g) ?? []).join('-')}`);
}

function isSignedInTheStandardWay(request: IncomingMessage, body: string, secret: string): boolean {
  const id = header(request, 'webhook-id');
  const timestamp = header(request, 'webhook-timestamp');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > AGE_SECONDS_MAX) return false;
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return isSame(header(request, 'webhook-signature'), `v1,${digest}`);
}

function isSame(given: string, right: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
