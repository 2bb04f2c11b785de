import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A network that loses answers: the service has processed each request, and the caller gets no answer. */
export class LossyNetwork {
  /** How many of the next answers are lost. */
  losses = 0;
  lost = 0;
  readonly #server: Server;

  constructor(private readonly target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((caller) => {
      const service = connect(this.target);
      caller.pipe(service);
      service.on('data', (chunk: Buffer) => {
        if (this.losses === 0) {
          caller.write(chunk);
          return;
        }
        this.losses -= 1;
        this.lost += 1;
        caller.destroy();
        service.destroy();
      });
      for (const [socket, other] of [
        [caller, service],
        [service, caller],
      ] as const) {
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
      }
    });
  }

  /** Returns its origin. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}
