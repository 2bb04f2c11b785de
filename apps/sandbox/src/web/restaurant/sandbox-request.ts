import type { RequestOptions } from '@pos/rest-contracts/client';
import { buildAddress, type Operation, type ParamsOf, type ReturnsOf } from '@pos/rest-contracts/operation';

/** The sandbox refused a request; the message is a sentence for the person at the page. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** Calls the sandbox that served the page. Throws `SandboxError` with the reason of a refusal. */
export async function callSandbox<const O extends Operation>(
  operation: O,
  options: RequestOptions<O>,
): Promise<ReturnsOf<O>> {
  const { method } = operation;
  const { params, body }: { readonly params?: ParamsOf<Operation>; readonly body?: unknown } = options;
  const response = await fetch(buildAddress(operation, { params }), {
    method,
    ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
  }).catch(() => null);
  if (response === null) throw new SandboxError('');
  const answer: unknown = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new SandboxError(readReason(answer));
  return answer as ReturnsOf<O>;
}

function readReason(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return '';
  if ('detail' in problem && typeof problem.detail === 'string' && problem.detail !== '') return problem.detail;
  return 'title' in problem && typeof problem.title === 'string' ? problem.title : '';
}
