import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A mail as the server took it. */
export interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they came. */
  readonly raw: string;
}

/** What the server says of a command: nothing of its own, an answer in its place, or it hangs up at `hang up`. */
export type Whim = (command: string) => string | null;

/** A mail server on a real socket: it speaks as much SMTP as taking a mail needs. */
export class MailServer {
  readonly taken: Taken[] = [];
  whim: Whim = () => null;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      this.#serve(socket);
    });
  }

  static async open(): Promise<MailServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new MailServer(server);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }

  #serve(socket: Socket): void {
    let heard = '';
    let from = '';
    let to: string[] = [];
    let isData = false;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    answer('220 mail.test ESMTP');
    socket.on('data', (part: Buffer) => {
      heard += part.toString('utf8');
      for (;;) {
        const end = heard.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const said = heard.slice(0, end);
        heard = heard.slice(end + (isData ? 5 : 2));
        const wish = isData ? 'the mail' : said;
        const whim = this.whim(wish);
        if (whim === 'hang up') {
          socket.destroy();
          return;
        }
        if (isData) {
          isData = false;
          if (whim === null) this.taken.push({ from, to, raw: said });
          answer(whim ?? '250 taken');
          continue;
        }
        const [verb = ''] = said.toUpperCase().split(/[ :]/);
        if (whim === null && verb === 'MAIL') [from, to] = [addressIn(said), []];
        if (whim === null && verb === 'RCPT') to = [...to, addressIn(said)];
        if (whim === null && verb === 'DATA') isData = true;
        answer(whim ?? (verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 fine'));
      }
    });
  }
}

function addressIn(command: string): string {
  return /<([^>]*)>/.exec(command)?.[1] ?? '';
}
