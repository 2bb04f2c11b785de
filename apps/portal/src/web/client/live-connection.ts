/** The members of an `EventSource` that are used. */
type EventSourceMembers = Pick<EventSource, 'onmessage' | 'onerror' | 'readyState' | 'close'>;

interface LiveConnectionOptions {
  readonly openSource: () => EventSourceMembers;
  readonly onEvent: (data: string) => void;
  /** Called when the service has refused the stream: the session may have ended. */
  readonly onRefused: () => void;
}

/** `EventSource.CLOSED`. */
const CLOSED = 2;
/** How long after a refusal the stream is opened again. */
const REOPEN_MS = 5_000;

/**
 * Receives the events of an account. A browser reconnects after a lost connection, but not after a refusal. The service
 * refuses a stream when the session has ended, and also while it starts or when too many pages are open.
 */
export class LiveConnection {
  #source: EventSourceMembers;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: LiveConnectionOptions) {
    this.#source = this.#openSource();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source.onerror = null;
    this.#source.close();
  }

  #openSource(): EventSourceMembers {
    const source = this.options.openSource();
    source.onmessage = ({ data }: MessageEvent<string>) => this.options.onEvent(data);
    source.onerror = () => {
      if (source.readyState !== CLOSED) return;
      this.#timer = setTimeout(() => {
        this.#source = this.#openSource();
      }, REOPEN_MS);
      this.options.onRefused();
    };
    return source;
  }
}
