import 'reflect-metadata';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GrpcDoor, type GrpcDoorOptions } from './grpc-door.js';

/** Opens gRPC ports on an app that serves HTTP too; all ports share the app's controllers. Rejects when one cannot be opened. */
async function openGrpcDoors(app: INestApplication, doors: readonly GrpcDoorOptions[]): Promise<readonly GrpcDoor[]> {
  const open: GrpcDoor[] = [];
  for (const options of doors) {
    const door = new GrpcDoor(options);
    await app.connectMicroservice({ strategy: door }).listen();
    open.push(door);
  }
  return open;
}

/** Boots an app that serves gRPC only, on one or more ports. `close` ends calls within the doors' limits. */
export async function bootGrpc({
  module,
  doors,
}: {
  module: Type<unknown> | DynamicModule;
  doors: readonly GrpcDoorOptions[];
}): Promise<{ app: INestApplication; doors: readonly GrpcDoor[]; close: () => Promise<void> }> {
  // The HTTP half of this app never listens; it is what Nest hangs several ports on.
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  try {
    await app.init();
    return { app, doors: await openGrpcDoors(app, doors), close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
