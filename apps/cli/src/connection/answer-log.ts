/** An answer of a server, as far as a message about it needs. */
export interface LoggedAnswer {
  /** The method and the address without its query, which may contain ids. */
  readonly request: string;
  readonly status: number;
  readonly contentType: string | null;
}

/**
 * Remembers the last answer of the servers that a command calls. A server of another kind or release may answer
 * anything with 200; a message about that names the server.
 */
export class AnswerLog {
  last: LoggedAnswer | null = null;

  /** The same `fetch`, whose answers are remembered. */
  record(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await send(input, init);
      const url = new URL(input instanceof Request ? input.url : String(input));
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
      this.last = {
        request: `${method} ${url.origin}${url.pathname}`,
        status: response.status,
        contentType: response.headers.get('content-type'),
      };
      return response;
    };
  }
}
