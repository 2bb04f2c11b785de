import { WebSocket } from 'ws';
import type { Cancel } from './clock.js';
import { StandingLine, type StandingPlace } from './standing-line.js';

/** The service goes away on purpose, and another gateway is there. */
const GOING_AWAY = 1001;
const HANDSHAKE_LIMIT_MS = 5_000;
/** The service pings every 30 s; a socket on which nothing comes for three of them is dead. */
const SILENCE_LIMIT_MS = 90_000;
const FRAME_BYTES_MAX = 1024 * 1024;

/** What goes over a socket that is kept open, as the one who keeps it sees it. */
export interface SocketTalk {
  readonly open: (address: string) => { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** A text came; what is said to it goes out on the same socket, or not at all. */
  readonly heard: (text: string, say: (text: string) => void) => void;
}

interface Line {
  readonly socket: WebSocket;
  cancelSilence: Cancel;
}

/** Keeps one socket to a gateway open. */
export class StandingSocket extends StandingLine<Line> {
  readonly #talk: SocketTalk;

  constructor({ talk, ...place }: StandingPlace & { readonly talk: SocketTalk }) {
    super(place);
    this.#talk = talk;
  }

  protected dial(address: string): Line {
    const { url, headers } = this.#talk.open(address);
    const socket = new WebSocket(url, { headers, handshakeTimeout: HANDSHAKE_LIMIT_MS, maxPayload: FRAME_BYTES_MAX });
    const line: Line = { socket, cancelSilence: () => undefined };
    const sign = (): void => {
      line.cancelSilence();
      if (!this.isCurrent(line)) return;
      line.cancelSilence = this.clock.afterReal(SILENCE_LIMIT_MS, () => {
        this.ended(line);
      });
    };
    socket.on('open', () => {
      if (this.letIn(line)) sign();
    });
    socket.on('ping', sign);
    socket.on('message', (data: Buffer) => {
      sign();
      this.#talk.heard(data.toString(), (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      });
    });
    // What breaks a socket closes it too.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.ended(line, code === GOING_AWAY);
    });
    return line;
  }

  protected takeDown({ socket, cancelSilence }: Line): void {
    cancelSilence();
    socket.terminate();
  }

  protected isOpen({ socket }: Line): boolean {
    return socket.readyState === WebSocket.OPEN;
  }
}
