import 'reflect-metadata';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GrpcServer, type GrpcServerOptions } from '../grpc/grpc-server.js';

/** Opens gRPC ports for an app; all ports share the app's controllers. Rejects when one cannot be opened. */
async function openGrpcServers(
  app: INestApplication,
  serverOptions: readonly GrpcServerOptions[],
): Promise<readonly GrpcServer[]> {
  const opened: GrpcServer[] = [];
  for (const options of serverOptions) {
    const server = new GrpcServer(options);
    await app.connectMicroservice({ strategy: server }).listen();
    opened.push(server);
  }
  return opened;
}

/** Starts an app that serves gRPC only, on one or more ports. `close` ends calls within the servers' limits. */
export async function startGrpcServers({
  module,
  serverOptions,
}: {
  module: Type<unknown> | DynamicModule;
  serverOptions: readonly GrpcServerOptions[];
}): Promise<{ app: INestApplication; servers: readonly GrpcServer[]; close: () => Promise<void> }> {
  // The HTTP half of this app never listens; Nest needs it to connect several ports.
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  try {
    await app.init();
    return { app, servers: await openGrpcServers(app, serverOptions), close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
