import 'reflect-metadata';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GrpcServer, type GrpcServerOptions } from './grpc-server.js';

/** Opens gRPC ports on an app that serves HTTP too; all ports share the app's controllers. Rejects when one cannot be opened. */
async function openGrpcServers(
  app: INestApplication,
  doors: readonly GrpcServerOptions[],
): Promise<readonly GrpcServer[]> {
  const opened: GrpcServer[] = [];
  for (const options of doors) {
    const server = new GrpcServer(options);
    await app.connectMicroservice({ strategy: server }).listen();
    opened.push(server);
  }
  return opened;
}

/** Boots an app that serves gRPC only, on one or more ports. `close` ends calls within the servers' limits. */
export async function startGrpcServers({
  module,
  doors,
}: {
  module: Type<unknown> | DynamicModule;
  doors: readonly GrpcServerOptions[];
}): Promise<{ app: INestApplication; doors: readonly GrpcServer[]; close: () => Promise<void> }> {
  // The HTTP half of this app never listens; it is what Nest hangs several ports on.
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  try {
    await app.init();
    return { app, doors: await openGrpcServers(app, doors), close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
