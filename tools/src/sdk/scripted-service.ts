import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the scripted service does with an attempt. */
export type Step =
  | 'cut'
  | 'silence'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      /** In place of a body. */
      readonly text?: string;
      /** The connection breaks after the text, which is shorter than announced. */
      readonly cut?: boolean;
    };

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined without a body. */
  readonly body: unknown;
}

/** Answers the attempts of each scenario one step after another. A scenario is the first part of the path. */
export class ScriptedService {
  readonly #server: Server;
  readonly #received = new Map<string, ReceivedRequest[]>();

  constructor(private readonly scenarios: readonly (readonly Step[])[]) {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Returns its origin. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What has arrived of a scenario, for the caller of this name. */
  listReceived(caller: string, scenario: number): readonly ReceivedRequest[] {
    return this.#received.get(`${caller}/${scenario}`) ?? [];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, caller = '', scenario = '', path = ''] = /^\/([^/]+)\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', headers } = request;
    const key = `${caller}/${scenario}`;
    const received = this.#received.get(key) ?? [];
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    this.#received.set(key, [...received, { method, path, headers, body }]);
    answer(response, this.scenarios[Number(scenario)]?.[received.length] ?? 'cut');
  }
}

function answer(response: ServerResponse, step: Step): void {
  if (step === 'silence') return;
  if (step === 'cut') {
    response.destroy();
    return;
  }
  const text = step.text ?? (step.body === undefined ? '' : JSON.stringify(step.body));
  const length = Buffer.byteLength(text) + (step.cut === true ? 100 : 0);
  response.writeHead(step.status, {
    ...(step.status === 204 ? {} : { 'content-type': 'application/json', 'content-length': String(length) }),
    ...step.headers,
  });
  if (step.cut === true) response.write(text, () => response.destroy());
  else response.end(text);
}
