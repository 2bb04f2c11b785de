import { status } from '@grpc/grpc-js';
import type { Requestor } from '@pos/core/lease';
import type {
  LockSessionResponse,
  RecordPaymentRequest,
  RecordPaymentResponse,
  UnlockSessionResponse,
} from '@pos/grpc-contracts/tables';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';

/** Who calls, and how long they wait. */
export interface DeviceCall {
  readonly requestor: Requestor;
  readonly call: GrpcCall;
}

/** What a device changes at an EPOS goes through our own leases and records first. */
export class DeviceWrites {
  async lock(_on: DeviceCall & { readonly sessionId: string }): Promise<LockSessionResponse> {
    throw new GrpcFailure(status.UNAVAILABLE, 'locking is not served yet');
  }
  async unlock(_on: DeviceCall & { readonly sessionId: string }): Promise<UnlockSessionResponse> {
    throw new GrpcFailure(status.UNAVAILABLE, 'locking is not served yet');
  }
  async record(_request: RecordPaymentRequest, _by: DeviceCall): Promise<RecordPaymentResponse> {
    throw new GrpcFailure(status.UNAVAILABLE, 'recording is not served yet');
  }
}
