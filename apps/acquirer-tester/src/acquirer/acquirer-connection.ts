import { type ChannelCredentials, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  type AuthoriseRequest,
  AcquirerServiceClient,
  AcquirerServiceService,
  type Capabilities,
  type ListBookedRequest,
  type ListBookedResponse,
  type Result,
} from '@pos/grpc-contracts/acquirer';

/** An answer of the adapter: its content, or an error status by name. */
export type Answer<R> =
  | { readonly kind: 'content'; readonly content: R }
  | { readonly kind: 'status'; readonly status: string; readonly details: string };

/** The answer of a call that books or inquires. `null` is an answer without a result. */
export type ResultAnswer = Answer<Result | null>;

/** How a call differs from the default. */
export interface CallOptions {
  readonly deadlineMs?: number;
  /** The credential to show instead of the own one; null: none. */
  readonly credential?: string | null;
  /** Cancels the call this long after it was sent, as a caller that crashes does. */
  readonly cancelAfterMs?: number;
  /** Bytes that are added to the request: fields of a later version of the contract. */
  readonly extraBytes?: Buffer;
}

/** The methods of the service whose answer is a result. */
type ResultMethod = keyof typeof RESULT_METHODS;
type RequestOf<M extends ResultMethod> =
  ReturnType<(typeof RESULT_METHODS)[M]['requestDeserialize']> extends infer Q ? Q : never;

const RESULT_METHODS = {
  authorise: AcquirerServiceService.authorise,
  completeChallenge: AcquirerServiceService.completeChallenge,
  increaseAuthorisation: AcquirerServiceService.increaseAuthorisation,
  capture: AcquirerServiceService.capture,
  refund: AcquirerServiceService.refund,
  reverse: AcquirerServiceService.reverse,
  inquire: AcquirerServiceService.inquire,
} as const;

/** The parts of a method definition that a call on the wire needs. */
interface WireMethod<Q, R> {
  readonly path: string;
  readonly requestSerialize: (request: Q) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => R;
}

const DEADLINE_MS = 10_000;

/** The adapter under test, over gRPC. Each call is made as it is: nothing is repeated or interpreted. */
export class AdapterConnection {
  readonly #client: AcquirerServiceClient;
  readonly #credential: string | null;

  constructor(
    address: string,
    { tls, credential }: { readonly tls: ChannelCredentials | null; readonly credential: string | null },
  ) {
    this.#client = new AcquirerServiceClient(address, tls ?? credentials.createInsecure());
    this.#credential = credential;
  }

  /** Sends a call that is answered with a result. */
  async call<M extends ResultMethod>(
    method: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): Promise<ResultAnswer> {
    const wire = RESULT_METHODS[method] as unknown as WireMethod<
      RequestOf<M>,
      { readonly result?: Result | undefined }
    >;
    const answer = await this.#send(wire, request, options);
    return answer.kind === 'content' ? { kind: 'content', content: answer.content.result ?? null } : answer;
  }

  listBooked(request: ListBookedRequest, options: CallOptions = {}): Promise<Answer<ListBookedResponse>> {
    return this.#send(AcquirerServiceService.listBooked, request, options);
  }

  async getCapabilities(options: CallOptions = {}): Promise<Answer<Capabilities | null>> {
    const answer = await this.#send(AcquirerServiceService.getCapabilities, {}, options);
    return answer.kind === 'content' ? { kind: 'content', content: answer.content.capabilities ?? null } : answer;
  }

  /** Resolves with whether a connection is open within this time. */
  isReachable(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#client.waitForReady(toDeadline(withinMs), (error) => {
        resolve(error === undefined);
      });
    });
  }

  close(): void {
    this.#client.close();
  }

  #send<Q, R>(
    { path, requestSerialize, responseDeserialize }: WireMethod<Q, R>,
    request: Q,
    { deadlineMs = DEADLINE_MS, credential = this.#credential, cancelAfterMs, extraBytes }: CallOptions,
  ): Promise<Answer<R>> {
    const metadata = new Metadata();
    if (credential !== null) metadata.set('authorization', credential);
    const serialize = (sent: Q): Buffer =>
      extraBytes === undefined ? requestSerialize(sent) : Buffer.concat([requestSerialize(sent), extraBytes]);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const done = (error: ServiceError | null, response: R | undefined): void => {
        clearTimeout(timer);
        if (error === null && response !== undefined) resolve({ kind: 'content', content: response });
        else resolve({ kind: 'status', status: status[error?.code ?? status.UNKNOWN], details: error?.details ?? '' });
      };
      const call = this.#client.makeUnaryRequest(
        path,
        serialize,
        responseDeserialize,
        request,
        metadata,
        { deadline: toDeadline(deadlineMs) },
        done,
      );
      if (cancelAfterMs !== undefined) {
        timer = setTimeout(() => {
          call.cancel();
        }, cancelAfterMs);
      }
    });
  }
}

/** A request of the contract with every member; a member that is left out has its default. */
export function toAuthoriseRequest(values: Partial<AuthoriseRequest>): AuthoriseRequest {
  return {
    ...{ reference: '', merchantId: '', amount: 0n, currency: '', capture: false, instrument: undefined },
    ...{
      customerInitiated: true,
      cardholderNotPresent: false,
      noChallenge: false,
      billingAddressLine: '',
      billingPostcode: '',
    },
    ...{ userAgent: '', ipAddress: '' },
    ...values,
  };
}

/** A deadline of the wire is a moment of this machine's own clock. */
function toDeadline(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}
