import { QueryClient } from '@tanstack/react-query';
import { RequestProblem } from './call-operation.js';

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;

/** The answers of the service by their keys. A refusal is not repeated; it would be refused again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      retry: (failures, error) =>
        failures < RETRIES_MAX && (!(error instanceof RequestProblem) || error.problem.status >= 500),
    },
  },
});

/** The first part of each key, by what a live event is about. */
export const SESSION = 'session';
export const PAYMENTS = 'payments';
export const OVERVIEW = 'overview';
export const TERMINALS = 'terminals';
export const WEBHOOKS = 'webhooks';
export const API_KEYS = 'api-keys';
export const REQUESTS = 'requests';
export const TABLES = 'tables';
export const PENDING = 'pending';
