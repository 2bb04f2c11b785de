import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, RequestMapping, RequestMethod, Res, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Caller } from '@pos/core/accounts';
import type { BodyOf, Method, Operation, ParamsOf, QueryOf, ReturnsOf } from '@pos/rest-contracts/operation';
import type { Release } from '@pos/rest-contracts/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredAnswer } from '../request-checks/request-admission.js';
import { sendAnswer, requestContextOf } from './request-context.js';
import type { Idempotency } from '../request-checks/idempotency-key.js';

/** One call of an operation; every value is checked and parsed. */
export interface OperationCall<O extends Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** Null where the operation requires no key. */
  readonly caller: O['permission'] extends null ? null : Caller;
  /** Null when the caller sent no key. */
  readonly idempotency: Idempotency | null;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The address of the client; behind a trusted proxy the one that it forwards. */
  readonly ip: string;
  readonly traceId: string;
  readonly release: Release;
}

/** An answer in its final bytes, as idempotent operations store it. */
export class StoredReply {
  constructor(
    readonly answer: StoredAnswer,
    /** The answer is a stored one; the header `idempotent-replayed` reports it. */
    readonly isReplayed: boolean,
  ) {}
}

/** An answer with headers of its own, such as a cookie. */
export class HeadedReply<Body> {
  constructor(
    readonly body: Body,
    readonly headers: Readonly<Record<string, string | string[]>>,
  ) {}
}

/**
 * Binds a controller method to an operation. The method receives the call and returns the body of the answer, or a
 * `Reply` in its final bytes; it throws a `Refusal` to refuse. A wrong argument or a wrong reply does not compile.
 */
export function Serve<const O extends Operation>(operation: O) {
  return <T extends (call: OperationCall<O>) => Promise<ReturnsOf<O> | StoredReply | HeadedReply<ReturnsOf<O>>>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    const method = descriptor.value;
    if (method === undefined) throw new Error(`${operation.id} is not served by a method`);
    // The parameters are fixed here, not by the method's own decorators: first the call, then the raw reply.
    CallParameter()(target, name, 0);
    Res()(target, name, 1);
    const route = async function (this: unknown, call: OperationCall<O>, reply: FastifyReply): Promise<void> {
      const result = await method.call(this, call);
      if (result instanceof HeadedReply) void reply.headers(result.headers);
      const returned = result instanceof HeadedReply ? result.body : result;
      if (returned instanceof StoredReply)
        await sendAnswer(reply, returned.answer, { isReplayed: returned.isReplayed });
      else await sendAnswer(reply, { status: operation.returns === null ? 204 : 200, shape: returned });
    };
    // Nest calls the route with both parameters; for TypeScript the method keeps its declared type.
    const bound = descriptor as PropertyDescriptor;
    bound.value = route;
    const routed = { value: route, writable: true, enumerable: false, configurable: true };
    RequestMapping({ path: toNestPath(operation.path), method: REQUEST_METHODS[operation.method] })(
      target,
      name,
      routed,
    );
    RouteConfig({ operation })(target, name, routed);
  };
}

/** `/payment-intents/{paymentIntentId}` in the router's spelling. */
function toNestPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

const REQUEST_METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
};

const CallParameter = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { admitted, traceId } = requestContextOf(request);
  if (admitted === null) throw new Error('the request was not admitted');
  const { params, query, body, caller, idempotency, release } = admitted;
  return { params, query, body, caller, idempotency, headers: request.headers, ip: request.ip, traceId, release };
});
