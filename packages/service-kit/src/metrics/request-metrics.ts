import { defineCounter, defineHistogram } from './metric-registry.js';

const HTTP_REQUESTS = defineCounter({
  name: 'pos_http_requests_total',
  help: 'Answered HTTP requests by operation of the contract and status code.',
  labels: ['operation', 'code'],
  seriesMax: 2_000,
});
const HTTP_SECONDS = defineHistogram({
  name: 'pos_http_request_duration_seconds',
  help: 'Time from the first byte of an HTTP request to the last one of its answer.',
  labels: ['operation'],
});
const GRPC_CALLS = defineCounter({
  name: 'pos_grpc_server_calls_total',
  help: 'Ended gRPC calls that this process served, by rpc and status.',
  labels: ['rpc', 'code'],
  seriesMax: 2_000,
});
const GRPC_SECONDS = defineHistogram({
  name: 'pos_grpc_server_call_duration_seconds',
  help: 'Duration of one-message gRPC calls that this process served. Streams are counted and not timed.',
  labels: ['rpc'],
});
const GRPC_CLIENT_CALLS = defineCounter({
  name: 'pos_grpc_client_calls_total',
  help: 'Ended gRPC calls that this process made, by rpc and status.',
  labels: ['rpc', 'code'],
  seriesMax: 2_000,
});
const GRPC_CLIENT_SECONDS = defineHistogram({
  name: 'pos_grpc_client_call_duration_seconds',
  help: 'Duration of one-message gRPC calls that this process made.',
  labels: ['rpc'],
});

/** Counts an answered request. `operation` is null for a path or method that the contract does not have. */
export function observeHttpRequest(operation: string | null, status: number, seconds: number): void {
  const name = operation ?? 'none';
  HTTP_REQUESTS.increase({ operation: name, code: String(status) });
  HTTP_SECONDS.observe({ operation: name }, seconds);
}

/** Counts a served call. `seconds` is null for a stream. */
export function observeGrpcCall(rpc: string, code: string, seconds: number | null): void {
  GRPC_CALLS.increase({ rpc, code });
  if (seconds !== null) GRPC_SECONDS.observe({ rpc }, seconds);
}

/** Counts a call that this process made. `seconds` is null for a stream. */
export function observeGrpcClientCall(rpc: string, code: string, seconds: number | null): void {
  GRPC_CLIENT_CALLS.increase({ rpc, code });
  if (seconds !== null) GRPC_CLIENT_SECONDS.observe({ rpc }, seconds);
}
