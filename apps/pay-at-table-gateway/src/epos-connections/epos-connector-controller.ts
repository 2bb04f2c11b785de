import { EposConnectorServiceService, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import { BindGrpc, type GrpcCall, type GrpcController } from '@pos/service-kit/grpc';
import { EposStreamService } from './epos-stream-service.js';
import type { EposMessage } from '../epos-transports/epos-message.js';

/** EposConnectorService: one stream for each EPOS that opens a connection. */
@BindGrpc(EposConnectorServiceService, { permission: 'epos.connect' })
export class EposConnectorController implements GrpcController<typeof EposConnectorServiceService> {
  constructor(private readonly connections: EposStreamService) {}

  connect(messages: AsyncIterable<EposMessage>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    return this.connections.connect(messages, call);
  }
}
