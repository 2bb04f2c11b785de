import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from '../command/application.js';
import { CATALOG } from '../commands/all-commands.js';

/** What a run has written, and its exit code. */
export interface FinishedRun {
  readonly exitCode: number;
  readonly output: string;
  readonly error: string;
}

/** Runs the command in this process, in a folder without a running `npm start`. */
export async function runWords(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FinishedRun> {
  let [output, error] = ['', ''];
  const exitCode = await runCommand(CATALOG, words, {
    ...{ env, cwd: '/', release: '1.2.3', stop: new AbortController().signal },
    writeOutput: (text) => (output += text),
    writeError: (text) => (error += text),
    terminalColumns: null,
  });
  return { exitCode, output, error };
}

/** A service that answers every request alike, and notes the requests. A text is a page of something else. */
export class StubService {
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(status: number, body: unknown) {
    this.#server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      const isPage = typeof body === 'string';
      response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
      response.end(isPage ? body : JSON.stringify(body));
    });
  }

  static async open(status: number, body: unknown): Promise<StubService> {
    const stub = new StubService(status, body);
    stub.#server.listen(0, '127.0.0.1');
    await once(stub.#server, 'listening');
    return stub;
  }

  /** Settings that lead to it. */
  settings(key = 'sk_sandbox_1'): Readonly<Record<string, string>> {
    const { port } = this.#server.address() as AddressInfo;
    return { POS_API_URL: `http://127.0.0.1:${port}`, POS_API_KEY: key };
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
