import { Server } from '@grpc/grpc-js';
import { readDescriptor } from '@pos/grpc-contracts/descriptor';
import { bindGrpcServer, closeGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { addAcquirerService } from '@pos/sandbox/acquirer';
import { addTablesService } from '@pos/sandbox/epos-transports';
import type { SimulatedEnvironment } from '@pos/sandbox/environment';
import type { Secret } from '@pos/service-kit/config';
import { addReflection, chooseServerCredentials, limitGrpcConnections } from '@pos/service-kit/grpc';
import {
  type ConnectionLimits,
  findAdmittedNetworks,
  formatHostPort,
  type PortEncryption,
} from '@pos/service-kit/network';
import { HealthImplementation } from 'grpc-health-check';

const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Calls that a rule leaves unanswered would keep the server open forever. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The acquirer and the dialled EPOSes on one port. */
export async function openGrpcServer(
  environment: SimulatedEnvironment,
  {
    host,
    port,
    stepUpUrl,
    credential,
    connections,
    encryption,
  }: {
    host: string;
    port: number;
    stepUpUrl: string;
    /** What calls to the acquirer have to carry; null: nothing. */
    credential: Secret | null;
    connections: ConnectionLimits;
    encryption: PortEncryption;
  },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const { tls } = encryption;
  const admitted = findAdmittedNetworks({ host, certSetting: 'GRPC_TLS_CERT' }, encryption);
  const credentials = chooseServerCredentials({
    ...{ host, hostSetting: 'HOST', tls, tlsSetting: 'GRPC_TLS_CERT', isEncryptedElsewhere: admitted !== null },
  });
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 20_000,
  });
  const { acquirerSimulator: simulator, clock } = environment;
  addAcquirerService(server, { simulator, clock, stepUpUrl, credential });
  addTablesService(server, (username) => environment.findDialledEpos(username));
  new HealthImplementation({ '': 'SERVING' }).addToServer(server);
  addReflection(server, readDescriptor(), ['service.acquirer.v1.AcquirerService', 'service.tables.v1.TablesService']);
  const boundPort = await bindGrpcServer(server, formatHostPort(host, port), credentials);
  limitGrpcConnections(server, { admitted, ...connections });
  const close = async (): Promise<void> => {
    await closeGrpcServer(server, CLOSE_TIMEOUT_MS);
    tls?.close();
  };
  return { port: boundPort, close };
}
