import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions, TLSSocket } from 'node:tls';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

/** How the server encrypts: with a certificate it offers STARTTLS, or TLS from the first byte where it is `isSecure`. */
interface MailServerEncryption {
  readonly certificate?: SecureContextOptions;
  readonly isSecure?: boolean;
}

/** Replaces the server's reply to a command; null keeps the normal reply, and `hang up` closes the connection. */
export type ReplyOverride = (command: string) => string | null;

/** A mail server on a real socket, with the part of SMTP that is needed to receive a mail. */
export class TestMailServer {
  readonly receivedMails: ReceivedMail[] = [];
  replyOverride: ReplyOverride = () => null;
  /** The commands that were received before the connection was encrypted. */
  readonly plaintextCommands: string[] = [];
  readonly logins: { readonly user: string; readonly pass: string }[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly encryption: MailServerEncryption,
  ) {
    server.on(encryption.isSecure === true ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#addSocket(socket);
      socket.write('220 mail.test ESMTP\r\n');
      this.#serveSocket(socket);
    });
  }

  static async open(encryption: MailServerEncryption = {}): Promise<TestMailServer> {
    const { certificate, isSecure } = encryption;
    const server = isSecure === true ? createTlsServer({ ...certificate }) : createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestMailServer(server, encryption);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }

  #addSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }

  /** Continues a connection over TLS: the client begins again with EHLO. */
  #startTls(socket: Socket): void {
    socket.removeAllListeners('data');
    const encrypted = new TLSSocket(socket, { isServer: true, ...this.encryption.certificate });
    this.#addSocket(encrypted);
    this.#serveSocket(encrypted);
  }

  /** The extensions of a connection, as the answer to EHLO. */
  #listExtensions(isEncrypted: boolean): string {
    const { certificate } = this.encryption;
    if (certificate === undefined) return '250 fine';
    return isEncrypted ? '250-mail.test\r\n250 AUTH PLAIN' : '250-mail.test\r\n250-AUTH PLAIN\r\n250 STARTTLS';
  }

  #serveSocket(socket: Socket): void {
    const isEncrypted = socket instanceof TLSSocket;
    let received = '';
    let from = '';
    let to: string[] = [];
    let isData = false;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
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
          if (override === null) this.receivedMails.push({ from, to, raw: output, isEncrypted });
          answer(override ?? '250 taken');
          continue;
        }
        if (!isEncrypted) this.plaintextCommands.push(output);
        const [verb = ''] = output.toUpperCase().split(/[ :]/);
        if (verb === 'STARTTLS' && this.encryption.certificate === undefined) {
          answer('502 the command is not known');
          continue;
        }
        if (verb === 'STARTTLS') {
          answer('220 ready');
          this.#startTls(socket);
          return;
        }
        if (verb === 'EHLO' && override === null) {
          answer(this.#listExtensions(isEncrypted));
          continue;
        }
        if (verb === 'AUTH') {
          const [, user = '', pass = ''] = Buffer.from(output.split(' ')[2] ?? '', 'base64')
            .toString()
            .split('\0');
          this.logins.push({ user, pass });
          answer('235 welcome');
          continue;
        }
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
