import { Server } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { addAcquirerService } from '@pos/sandbox/acquirer';
import { addTablesService, createEposRestHandler } from '@pos/sandbox/epos-transports';
import type { SimulatedEnvironment } from '@pos/sandbox/environment';
import { limitConnections } from '@pos/service-kit/network';
import { createLoopbackServerCredentials, limitGrpcConnections } from '@pos/service-kit/grpc';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The addresses of the simulated world: its acquirer, and the EPOSes of the sandbox. */
export interface SandboxServers {
  /** `host:port`. */
  readonly acquirer: string;
  readonly grpcUrl: string;
  readonly restUrl: string;
  readonly close: () => void;
}

const LOOPBACK = '127.0.0.1';

/** Opens the ports of a simulated world on loopback, on free ports. */
export async function openSandboxServers(world: SimulatedEnvironment): Promise<SandboxServers> {
  const grpc = new Server();
  addTablesService(grpc, (username) => world.findDialledEpos(username));
  addAcquirerService(grpc, {
    simulator: world.acquirerSimulator,
    clock: world.clock,
    stepUpUrl: `http://${LOOPBACK}/step-up`,
  });
  const grpcPort = await bindGrpcServer(grpc, `${LOOPBACK}:0`, createLoopbackServerCredentials(LOOPBACK));
  limitGrpcConnections(grpc);
  const rest = createServer(createEposRestHandler((username) => world.findDialledEpos(username)));
  limitConnections(rest);
  await new Promise<void>((resolve) => rest.listen(0, LOOPBACK, resolve));
  return {
    acquirer: `${LOOPBACK}:${grpcPort}`,
    grpcUrl: `http://${LOOPBACK}:${grpcPort}`,
    restUrl: `http://${LOOPBACK}:${(rest.address() as AddressInfo).port}`,
    close: () => {
      rest.closeAllConnections();
      rest.close();
      grpc.forceShutdown();
    },
  };
}
