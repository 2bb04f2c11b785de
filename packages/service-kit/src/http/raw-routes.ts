import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exceedsDiscardLimit } from '../request-checks/json-body.js';
import { PAGE_ROUTE } from './pages.js';

/**
 * A route beside the operations: it forwards requests, or keeps its answer open. It checks its callers itself, before it
 * reads a body from `request.raw`, by `readJsonBody`.
 */
export interface RawRoute {
  /** In the router's spelling: `/portal/api/*`. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** A `Refusal` that it throws becomes a problem. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** In their own scope, because operations read their bodies themselves. */
export function registerRawRoutes(
  server: FastifyInstance,
  routes: readonly RawRoute[],
  fail: (reply: FastifyReply, error: unknown) => Promise<void>,
): void {
  if (routes.length === 0) return;
  void server.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    // The framework would read the body before the route has checked its sender.
    scope.addContentTypeParser('*', (_request, _payload, onParsed) => {
      onParsed(null, undefined);
    });
    scope.setErrorHandler(async (error, request, reply) => {
      if (exceedsDiscardLimit(request.raw)) void reply.header('connection', 'close');
      await fail(reply, error);
    });
    for (const route of routes) {
      scope.route({
        method: [...route.methods],
        url: route.path,
        // HEAD would open a stream that sends nothing.
        exposeHeadRoute: false,
        ...PAGE_ROUTE,
        handler: (request, reply) => route.answer(request, reply),
      });
    }
    done();
  });
}
