import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a server receives it. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Null: it had none. */
  readonly body: unknown;
}

/** A server that stores what it receives, and answers with an empty object. */
export class RequestRecorder {
  readonly #received: RecordedRequest[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { method = '', url: path = '', headers } = request;
        this.#received.push({ method, path, headers, body: text === '' ? null : (JSON.parse(text) as unknown) });
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async open(): Promise<RequestRecorder> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RequestRecorder(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Everything since the last call. */
  takeRequests(): RecordedRequest[] {
    return this.#received.splice(0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
