import { quoteShellWord } from './shell-quoting.js';
import { listPathMembers, type SampleRequest } from './sample-request.js';

/** The command `pos api` that sends the request; null for an operation that the command does not have. */
export function writeCliSample(request: SampleRequest): string | null {
  const { operationId, query, body, server, headers } = request;
  if (server !== 'api') return null;
  const words = [
    ...listPathMembers(request).map(quoteShellWord),
    ...Object.entries(query).map(([name, value]) => `--query ${quoteShellWord(`${name}=${value}`)}`),
    ...(headers.includes('authorization') ? ['--customer-secret "$CUSTOMER_SECRET"'] : []),
    ...(body === undefined ? [] : [`--body ${quoteShellWord(JSON.stringify(body, null, 2))}`]),
  ];
  return ['pos api', operationId, ...words].join(' ');
}
