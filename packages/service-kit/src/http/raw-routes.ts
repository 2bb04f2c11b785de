import { Refusal } from '@pos/core/refusals/refusal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_ROUTE } from './pages.js';

/** A route beside the operations: it forwards requests, or keeps its answer open. It checks its callers itself. */
export interface RawRoute {
  /** In the router's spelling: `/portal/api/*`. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** The body is empty for a request without one. A `Refusal` that it throws becomes a problem. */
  answer(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;

/** In their own scope, because operations read their bodies themselves. */
export function registerRawRoutes(
  server: FastifyInstance,
  routes: readonly RawRoute[],
  fail: (reply: FastifyReply, error: unknown) => Promise<void>,
): void {
  if (routes.length === 0) return;
  void server.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, onParsed) => {
      onParsed(null, body);
    });
    scope.setErrorHandler(async (error, _request, reply) => {
      const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
      await fail(reply, isTooLarge ? new Refusal('body_too_large', `At most ${BODY_BYTES_MAX} bytes.`) : error);
    });
    for (const route of routes) {
      scope.route({
        method: [...route.methods],
        url: route.path,
        // HEAD would open a stream that sends nothing.
        exposeHeadRoute: false,
        ...PAGE_ROUTE,
        handler: (request, reply) =>
          route.answer(request, reply, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)),
      });
    }
    done();
  });
}
