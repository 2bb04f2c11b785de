import { CardMachineServiceService, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/card-machine';
import { BindGrpc, type GrpcCall, type GrpcController } from '@pos/service-kit/grpc';
import { CardMachineService } from './card-machine-service.js';

/** CardMachineService: one stream for each card machine. */
@BindGrpc(CardMachineServiceService, { permission: 'machines.connect' })
export class CardMachineController implements GrpcController<typeof CardMachineServiceService> {
  constructor(private readonly machines: CardMachineService) {}

  connect(messages: AsyncIterable<ConnectRequest>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    return this.machines.connect(messages, call);
  }
}
