import { CardMachineServiceService } from '@pos/grpc-contracts/card-machine';
import { readDescriptor } from '@pos/grpc-contracts/descriptor';
import { BookingServiceService, EposConnectorServiceService, JourneyServiceService } from '@pos/grpc-contracts/gateway';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import type { GrpcService } from '@pos/service-kit/grpc';
import { readEposMessage } from './epos-transports/epos-message.js';

/** The services of the public port. */
export const PUBLIC_SERVICES: readonly GrpcService[] = [
  CardMachineServiceService,
  { connect: { ...EposConnectorServiceService.connect, decodeRequest: readEposMessage } },
  TablesServiceService,
  JourneyServiceService,
  BookingServiceService,
];

/** Reflection of the public port; none in production. */
export function buildReflectionOptions(environment: 'production' | 'development' | 'test'): {
  reflectionImage?: Uint8Array;
} {
  return environment === 'production' ? {} : { reflectionImage: readDescriptor() };
}
