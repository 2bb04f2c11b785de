import { status } from '@grpc/grpc-js';
import type {
  AcquirerAnswer,
  AcquirerBooking,
  AcquirerInquiry,
  AcquirerPort,
  AcquirerRequest,
  CapabilitiesAnswer,
} from '@pos/core/acquirer';
import type { Capabilities } from '@pos/grpc-contracts/acquirer';
import { AcquirerChannel, type AcquirerChannelOptions } from './acquirer-channel.js';
import {
  type AcquirerCallObserver,
  type AcquirerRpc,
  callAcquirer,
  callMethod,
  type RpcCallback,
} from './acquirer-rpc.js';
import type { AcquirerCircuit } from './acquirer-circuit.js';
import { bookingFromWire } from './acquirer-wire.js';
import { capabilitiesFromWire } from './capabilities-wire.js';
import type { UnreadableCardReporter } from './unreadable-cards.js';

const PAGE_SIZE = 500;

type ClientCall<R> = (options: { readonly deadline: Date }, callback: RpcCallback<R>) => void;

interface AcquirerClientOptions extends AcquirerChannelOptions {
  /** A call that it does not admit ends as one that the acquirer did not answer, and is not sent. */
  readonly circuit?: AcquirerCircuit | null;
  readonly reportCard?: UnreadableCardReporter;
  readonly observeCall?: AcquirerCallObserver;
}

/** The acquirer over gRPC. A call ends with what the acquirer said or with `unknown`; it never throws for a silence. */
export class AcquirerClient implements AcquirerPort {
  readonly #channel: AcquirerChannel;
  readonly #parts: AcquirerClientOptions;

  constructor(address: string, parts: AcquirerClientOptions = {}) {
    this.#parts = parts;
    this.#channel = new AcquirerChannel(address, parts);
  }

  increase({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Increase', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#channel.client.increaseAuthorisation(request, this.#channel.createMetadata(), options, callback);
    });
  }

  capture({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Capture', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#channel.client.capture(request, this.#channel.createMetadata(), options, callback);
    });
  }

  refund({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Refund', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#channel.client.refund(request, this.#channel.createMetadata(), options, callback);
    });
  }

  reverse(order: Parameters<AcquirerPort['reverse']>[0]): Promise<AcquirerAnswer> {
    const { reference, originalReference, merchantId, isRestOnly, deadlineMs } = order;
    const request = { reference, originalReference, merchantId, releaseRest: isRestOnly };
    return this.#callMethod({ method: 'Reverse', reference, deadlineMs }, (options, callback) => {
      this.#channel.client.reverse(request, this.#channel.createMetadata(), options, callback);
    });
  }

  inquire({ reference, deadlineMs, accountTime }: AcquirerInquiry): Promise<AcquirerAnswer> {
    const metadata = this.#channel.createMetadata();
    if (accountTime !== undefined) {
      const { accountId, now } = accountTime;
      metadata.set('sandbox-account-time', `${accountId} ${now.toISOString()}`);
    }
    return this.#callMethod({ method: 'Inquire', reference, deadlineMs }, (options, callback) => {
      this.#channel.client.inquire({ reference }, metadata, options, callback);
    });
  }

  /** Throws when the acquirer does not answer: a list that is not there is not an empty one. */
  async listBooked(
    query: Parameters<AcquirerPort['listBooked']>[0],
  ): Promise<{ readonly bookings: readonly AcquirerBooking[]; readonly nextPageToken: string | null }> {
    const { merchantId, from, to, pageToken, deadlineMs } = query;
    const request = { merchantId, from, to, pageSize: PAGE_SIZE, pageToken: pageToken ?? '' };
    const response = await callMethod<{ bookings: Parameters<typeof bookingFromWire>[0][]; nextPageToken: string }>(
      deadlineMs,
      this.#withCircuit((options, callback) => {
        this.#channel.client.listBooked(request, this.#channel.createMetadata(), options, callback);
      }),
    );
    const { bookings, nextPageToken } = response;
    return {
      bookings: bookings.map(bookingFromWire),
      nextPageToken: nextPageToken === '' ? null : nextPageToken,
    };
  }

  /** Never throws: an adapter without an answer, or with one that cannot be read, keeps what it declared before. */
  async getCapabilities({ deadlineMs }: { readonly deadlineMs: number }): Promise<CapabilitiesAnswer> {
    try {
      // Past the circuit: this question must not be the one trial that a payment waits for.
      const response = await callMethod<{ capabilities?: Capabilities | undefined }>(
        deadlineMs,
        (options, callback) => {
          this.#channel.client.getCapabilities({}, this.#channel.createMetadata(), options, callback);
        },
      );
      const capabilities = capabilitiesFromWire(response.capabilities);
      return typeof capabilities === 'string'
        ? { outcome: 'unknown', reason: capabilities }
        : { outcome: 'declared', capabilities };
    } catch (error) {
      if (isStatus(error, status.UNIMPLEMENTED)) return { outcome: 'notImplemented' };
      return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  close(): void {
    this.#channel.close();
  }

  #callMethod(rpc: Omit<AcquirerRpc, 'reportCard'>, call: Parameters<typeof callAcquirer>[1]): Promise<AcquirerAnswer> {
    const { reportCard = null, observeCall = (_, run) => run() } = this.#parts;
    return observeCall(rpc.method, () => callAcquirer({ ...rpc, reportCard }, this.#withCircuit(call)));
  }

  #withCircuit<R>(call: ClientCall<R>): ClientCall<R> {
    const { circuit } = this.#parts;
    return circuit === undefined || circuit === null ? call : circuit.guard(call);
  }
}

function isStatus(error: unknown, code: status): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

function toWireRequest({ reference, originalReference, amount }: Omit<AcquirerRequest, 'deadlineMs'>) {
  return { reference, originalReference, amount: BigInt(amount.value), currency: amount.currencyCode };
}
