import { Controller, UseFilters, Catch, type RpcExceptionFilter } from '@nestjs/common';
import { Ctx, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { Defect } from '@pos/core/refusals';
import type { Permission } from '@pos/core/identity';
import { throwError, type Observable } from 'rxjs';
import type { GrpcCall } from './grpc-call.js';

/** An rpc of a generated service definition: path, directions and codecs. */
export interface RpcDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Method syntax: the generated codecs take their own message type, which this shape must not narrow.
  requestSerialize(value: never): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(value: never): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
  /**
   * Decodes a caller's message instead of the codec, with its own limits for bytes and values. Throws for bytes that
   * are no message, and a Refusal for a message above a limit.
   */
  decodeRequest?(bytes: Buffer): unknown;
}

/** A generated service definition, such as `TablesServiceService`. */
export type GrpcService = Readonly<Record<string, RpcDefinition>>;

/**
 * The class of a service's controller: a method per rpc. One message is a value or a promise, many are an async
 * iterable.
 */
export type GrpcController<S> = { readonly [Name in keyof S]: RpcCallback<S[Name]> };

type RpcCallback<Rpc> = Rpc extends {
  requestStream: infer ManyIn;
  responseStream: infer ManyOut;
  requestDeserialize: (bytes: Buffer) => infer Request;
  responseDeserialize: (bytes: Buffer) => infer Response;
}
  ? (
      request: ManyIn extends true ? AsyncIterable<Request> : Request,
      call: GrpcCall,
    ) => ManyOut extends true ? AsyncIterable<Response> : Promise<Response>
  : never;

/** The permission of each rpc by method, or one for all; null requires no credentials. */
export type RpcPermissions<S> = Permission | null | { readonly [Name in keyof S]: Permission | null };

/**
 * Makes a class the controller of a generated gRPC service. The class must have every rpc of the service with its exact
 * messages, or it does not compile: `@BindGrpc(TablesServiceService, { permission: 'tables.use' })`.
 */
export function BindGrpc<S extends GrpcService>(service: S, { permission }: { permission: RpcPermissions<S> }) {
  return <C extends abstract new (...args: never[]) => GrpcController<S>>(target: C): void => {
    for (const [name, { path }] of Object.entries(service)) {
      const method = Object.getOwnPropertyDescriptor(target.prototype, name);
      if (method === undefined) throw new Defect(`${target.name} has no method ${name} of its own`);
      const requiredPermission = permission === null || typeof permission === 'string' ? permission : permission[name];
      if (requiredPermission === undefined) throw new Defect(`no permission is named for ${path}`);
      // Without these two decorators Nest passes the message only and not the call.
      Payload()(target.prototype as object, name, 0);
      Ctx()(target.prototype as object, name, 1);
      MessagePattern(path, Transport.GRPC, { [RPC_PERMISSION]: requiredPermission })(
        target.prototype as object,
        name,
        method,
      );
    }
    UseFilters(new PassThroughFilter())(target);
    Controller()(target);
  };
}

/** The metadata key under which the decorator stores the permission for the server. */
export const RPC_PERMISSION = 'pos:permission';

/** Passes errors on unchanged. Nest would hide them from the server's table of statuses. */
@Catch()
class PassThroughFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
