import { appendFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes: z.array(Attribute).default([]),
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly app: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the first span of a trace. */
  readonly parentId: string | null;
  readonly name: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A collector that takes OTLP over HTTP, and keeps what it receives in memory and in a file. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Bodies that are no export of spans. */
  readonly unreadable: string[] = [];
  readonly #server: Server;

  private constructor(private readonly file: string) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.#take(request.url ?? '', Buffer.concat(parts).toString('utf8'));
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async open(file: string): Promise<TraceReceiver> {
    const receiver = new TraceReceiver(file);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** The setting `OTEL_EXPORTER_OTLP_ENDPOINT` of the apps. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(path: string, body: string): void {
    appendFileSync(this.file, `${path} ${body}\n`);
    const parsed = path === '/v1/traces' ? Export.safeParse(JSON.parse(body)) : null;
    if (parsed?.success !== true) {
      this.unreadable.push(`${path} ${body.slice(0, 200)}`);
      return;
    }
    for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'];
      for (const { parentSpanId, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        const parentId = parentSpanId === undefined || parentSpanId === '' ? null : parentSpanId;
        this.spans.push({ ...span, app: String(name), parentId });
      }
    }
  }
}
