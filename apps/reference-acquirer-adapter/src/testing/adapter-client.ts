import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { AcquirerServiceClient, type AuthoriseRequest, type Booking, type Result } from '@pos/grpc-contracts/acquirer';
import type { ReadyProcess } from './adapter-environment.js';

const APPROVES = '4456530000091014';

/** A client of one adapter. An error status is its name. */
export class TestClient {
  readonly #client: AcquirerServiceClient;
  readonly #metadata = new Metadata();

  constructor(
    readonly adapter: ReadyProcess,
    credential: string,
  ) {
    const address = `127.0.0.1:${String(adapter.ready['grpc_port'])}`;
    this.#client = new AcquirerServiceClient(address, credentials.createInsecure());
    this.#metadata.set('authorization', credential);
  }

  authorise(request: AuthoriseRequest): Promise<Result | string> {
    return toResult((done) => this.#client.authorise(request, this.#metadata, done));
  }

  completeChallenge(reference: string, answer: { paRes: string; md: string }): Promise<Result | string> {
    return toResult((done) => this.#client.completeChallenge({ reference, ...answer }, this.#metadata, done));
  }

  capture(reference: string, originalReference: string, amount = 1_200n): Promise<Result | string> {
    const request = { reference, originalReference, amount, currency: 'GBP' };
    return toResult((done) => this.#client.capture(request, this.#metadata, done));
  }

  reverse(reference: string, originalReference: string): Promise<Result | string> {
    const request = { reference, originalReference, merchantId: 'M-1001', releaseRest: false };
    return toResult((done) => this.#client.reverse(request, this.#metadata, done));
  }

  inquire(reference: string): Promise<Result | string> {
    return toResult((done) => this.#client.inquire({ reference }, this.#metadata, done));
  }

  async listBooked(): Promise<readonly Booking[]> {
    const request = {
      merchantId: 'M-1001',
      from: new Date(0),
      to: new Date('2999-01-01'),
      pageSize: 500,
      pageToken: '',
    };
    return new Promise((resolve, reject) => {
      this.#client.listBooked(request, this.#metadata, (error, { bookings }) => {
        if (error === null) resolve(bookings);
        else reject(error);
      });
    });
  }
}

function toResult(
  call: (done: (error: ServiceError | null, response: { readonly result?: Result | undefined }) => void) => unknown,
): Promise<Result | string> {
  return new Promise((resolve) => {
    call((error, response) => {
      resolve(error === null ? (response.result ?? 'no result') : status[error.code]);
    });
  });
}

/** A hold of £12.00 on a card, which is approved unless another is given. */
export function createAuthoriseRequest(reference: string, number = APPROVES): AuthoriseRequest {
  const value = { number, expiryMonth: 12, expiryYear: 2099, cv2: '020', cardholderName: 'A' };
  return {
    ...{ reference, merchantId: 'M-1001', amount: 1_200n, currency: 'GBP', capture: false },
    ...{ instrument: { $case: 'card', value }, customerInitiated: true },
    ...{ cardholderNotPresent: false, noChallenge: false },
    ...{ billingAddressLine: '', billingPostcode: '', userAgent: '', ipAddress: '' },
  };
}

/** The outcome of an answer, or the name of its status. */
export function getOutcome(answer: Result | string): string {
  return typeof answer === 'string' ? answer : answer.outcome;
}
