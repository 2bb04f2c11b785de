import { request as requestHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as requestHttps, Agent as HttpsAgent } from 'node:https';
import { Refusal } from '@pos/core/refusals';
import { defineHistogram } from '@pos/service-kit/metrics';
import type { Log } from '@pos/service-kit/telemetry';
import { KeyServiceCircuit } from './key-service-circuit.js';
import type { KeyServiceToken } from './key-service-token.js';

const CALL_SECONDS = defineHistogram({
  name: 'pos_key_service_call_seconds',
  help: 'Time of a call to the key service, in seconds, by operation and by whether it was answered.',
  labels: ['operation', 'outcome'],
});

const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECTIONS_MAX = 16;
/** Within the time limit, a call that was not answered is sent once more: each operation may be repeated. */
const ATTEMPTS_MAX = 2;

/** The operations of the Transit engine that the vault uses. */
export type KeyServiceOperation = 'encrypt' | 'decrypt' | 'rewrap' | 'keys';

/** The answer of the key service: its status and its JSON body, null if it is none. */
export interface KeyServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How to reach the Transit engine of OpenBao or HashiCorp Vault. */
export interface KeyServiceOptions {
  /** `https://host:port`. */
  readonly url: string;
  readonly mount: string;
  readonly namespace: string | null;
  readonly token: KeyServiceToken;
  /** Certificates of the authorities that may sign for the service, in PEM; null for the well-known ones. */
  readonly authorities: string | null;
  readonly timeoutMs: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Calls the key service over HTTP. Bodies contain keys, so no error and no log line has any part of one. */
export class KeyServiceClient {
  readonly #options: KeyServiceOptions;
  readonly #agent: HttpAgent;
  readonly #circuit: KeyServiceCircuit;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
    const agentOptions = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
    this.#agent = options.url.startsWith('https:')
      ? new HttpsAgent({ ...agentOptions, ...(options.authorities !== null && { ca: options.authorities }) })
      : new HttpAgent(agentOptions);
    this.#circuit = new KeyServiceCircuit({
      onChange: (isOpen) => {
        if (isOpen) options.log.error('key_service.unanswered', { url: options.url });
        else options.log.info('key_service.answered', { url: options.url });
      },
    });
  }

  /**
   * Calls an operation for a key; without a body it reads. Refuses with `service_unavailable` when the service does not
   * answer in time, cannot serve, or refuses the token.
   */
  async call(operation: KeyServiceOperation, key: string, body?: object): Promise<KeyServiceAnswer> {
    if (!this.#circuit.admitCall()) throw createUnavailableRefusal();
    const startedAtMs = performance.now();
    const answer = await this.#send({ operation, key, body, endMs: startedAtMs + this.#options.timeoutMs });
    const isAnswered = isServedAnswer(answer);
    this.#circuit.recordCall(isAnswered);
    const outcome = isAnswered ? 'answered' : 'unanswered';
    CALL_SECONDS.observe({ operation, outcome }, (performance.now() - startedAtMs) / 1_000);
    if (isAnswered && answer.status !== 403) return answer;
    const reason = 'status' in answer ? `status ${answer.status}` : answer.failure;
    this.#options.log.warn('key_service.call_failed', { operation, key, reason });
    throw createUnavailableRefusal();
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The answer, or why there was none in time. A refused token is read again from its file. */
  async #send(call: PreparedCall): Promise<KeyServiceAnswer | CallFailure> {
    let answer = await this.#sendOnce(call);
    for (let attempt = 1; attempt < ATTEMPTS_MAX && performance.now() < call.endMs; attempt += 1) {
      const isRefused = 'status' in answer && answer.status === 403;
      if (isServedAnswer(answer) && !(isRefused && this.#options.token.reload())) return answer;
      answer = await this.#sendOnce(call);
    }
    return answer;
  }

  #sendOnce(call: PreparedCall): Promise<KeyServiceAnswer | CallFailure> {
    const { target, payload, options } = this.#buildRequest(call);
    return new Promise((resolve) => {
      const send = target.protocol === 'https:' ? requestHttps : requestHttp;
      let hasAnswerBegun = false;
      const sent = send(target, options, (response) => {
        hasAnswerBegun = true;
        readBody(response, () => sent.destroy()).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, body: parseJson(bytes) }),
          () => resolve({ failure: 'the answer is incomplete' }),
        );
      });
      const timer = setTimeout(
        () => {
          resolve({ failure: 'no answer in time' });
          sent.destroy();
        },
        Math.max(1, call.endMs - performance.now()),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => resolve({ failure: error.code ?? 'the connection failed' }));
      sent.on('close', () => {
        clearTimeout(timer);
        if (!hasAnswerBegun) resolve({ failure: 'the connection was closed' });
      });
      sent.end(payload ?? undefined);
    });
  }

  #buildRequest({ operation, key, body }: PreparedCall) {
    const { url, mount, namespace, token } = this.#options;
    const payload = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const headers = {
      'x-vault-token': token.current.reveal(),
      'x-vault-request': 'true',
      ...(namespace !== null && { 'x-vault-namespace': namespace }),
      ...(payload !== null && { 'content-type': 'application/json', 'content-length': payload.length }),
    };
    const target = new URL(`/v1/${mount}/${operation}/${encodeURIComponent(key)}`, url);
    return { target, payload, options: { method: payload === null ? 'GET' : 'POST', agent: this.#agent, headers } };
  }
}

/** Why a call has no answer. */
interface CallFailure {
  readonly failure: string;
}

interface PreparedCall {
  readonly operation: KeyServiceOperation;
  readonly key: string;
  readonly body: object | undefined;
  /** Monotonic. */
  readonly endMs: number;
}

/** Sealed, standby, overloaded and broken servers, and a proxy without one, cannot serve. */
function isServedAnswer(answer: KeyServiceAnswer | CallFailure): answer is KeyServiceAnswer {
  return 'status' in answer && answer.status < 500 && ![429, 472, 473].includes(answer.status);
}

/** The whole body; rejects for one that breaks off or is too long. */
async function readBody(response: IncomingMessage, abort: () => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > ANSWER_BYTES_MAX) abort();
    else parts.push(part);
  }
  return Buffer.concat(parts);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/** Payers see the text. The log has the reason. */
function createUnavailableRefusal(): Refusal {
  return new Refusal(
    'service_unavailable',
    'stored cards cannot be used or saved just now; nothing was done: send the request again',
  );
}
