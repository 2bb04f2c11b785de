/**
 * Aborted once this process is shutting down. Its ports then announce that they will close, and still serve: readiness
 * fails, HTTP answers carry `connection: close`, and the health service of gRPC answers NOT_SERVING.
 */
const shutdown = new AbortController();

/** Aborted at the signal that ends the process, before anything closes. Ports take another one in tests. */
export const PROCESS_SHUTDOWN: AbortSignal = shutdown.signal;

/** Tells every port of this process that it will close. */
export function announceShutdown(): void {
  shutdown.abort();
}
