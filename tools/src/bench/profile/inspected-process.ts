import { once } from 'node:events';
import { WebSocket, type MessageEvent } from 'undici';

/** A function that was on the stack, as V8 names it; `url` is empty for native code. */
export interface ProfiledFunction {
  readonly functionName: string;
  readonly url: string;
}

/** What V8 recorded: the tree of calls, and which of its nodes ran for how many microseconds. */
export interface ProcessorProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: ProfiledFunction;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A process that Node started with `--inspect=127.0.0.1:PORT`. */
export class InspectedProcess {
  readonly #answers = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', (event: MessageEvent) => this.#receive(String(event.data)));
    socket.addEventListener('close', () => {
      for (const answer of this.#answers.values()) answer.reject(new Error('the process has ended'));
    });
  }

  /** Connects to the inspector on this port. Throws when nothing listens there. */
  static async connect(port: number): Promise<InspectedProcess> {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await answer.json()) as { readonly webSocketDebuggerUrl: string }[];
    if (target === undefined) throw new Error(`the inspector on port ${port} has no target`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new InspectedProcess(socket);
  }

  /** Records where the processor time of the process goes while `load` runs. */
  async profile<T>(load: () => Promise<T>): Promise<{ readonly profile: ProcessorProfile; readonly result: T }> {
    await this.#send('Profiler.enable');
    await this.#send('Profiler.setSamplingInterval', { interval: 500 });
    await this.#send('Profiler.start');
    const result = await load();
    const { profile } = (await this.#send('Profiler.stop')) as { readonly profile: ProcessorProfile };
    return { profile, result };
  }

  close(): void {
    this.socket.close();
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive(text: string): void {
    const { id, result, error } = JSON.parse(text) as { id?: number; result?: unknown; error?: { message: string } };
    // Messages without an id are events, which nobody asked for.
    const answer = id === undefined ? undefined : this.#answers.get(id);
    if (answer === undefined) return;
    this.#answers.delete(id ?? 0);
    if (error === undefined) answer.resolve(result);
    else answer.reject(new Error(error.message));
  }
}
