import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly raw: string;
}

/** Replaces the server's reply to a command; null keeps the normal reply, and `hang up` closes the connection. */
export type ReplyOverride = (command: string) => string | null;

/** A mail server on a real socket, with the part of SMTP that is needed to receive a mail. */
export class TestMailServer {
  readonly receivedMails: ReceivedMail[] = [];
  replyOverride: ReplyOverride = () => null;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      this.#serveSocket(socket);
    });
  }

  static async open(): Promise<TestMailServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestMailServer(server);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }

  #serveSocket(socket: Socket): void {
    let received = '';
    let from = '';
    let to: string[] = [];
    let isData = false;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    answer('220 mail.test ESMTP');
    socket.on('data', (part: Buffer) => {
      received += part.toString('utf8');
      for (;;) {
        const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const output = received.slice(0, end);
        received = received.slice(end + (isData ? 5 : 2));
        const request = isData ? 'the mail' : output;
        const override = this.replyOverride(request);
        if (override === 'hang up') {
          socket.destroy();
          return;
        }
        if (isData) {
          isData = false;
          if (override === null) this.receivedMails.push({ from, to, raw: output });
          answer(override ?? '250 taken');
          continue;
        }
        const [verb = ''] = output.toUpperCase().split(/[ :]/);
        if (override === null && verb === 'MAIL') [from, to] = [parseAddress(output), []];
        if (override === null && verb === 'RCPT') to = [...to, parseAddress(output)];
        if (override === null && verb === 'DATA') isData = true;
        answer(override ?? (verb === 'DATA' ? '354 continue' : verb === 'QUIT' ? '221 bye' : '250 fine'));
      }
    });
  }
}

function parseAddress(command: string): string {
  return /<([^>]*)>/.exec(command)?.[1] ?? '';
}
