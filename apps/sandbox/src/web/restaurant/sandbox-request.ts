import type { Operation, ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation';

/** The sandbox refused a request; the message is a sentence for the person at the page. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** A request of an operation of the sandbox. Its types come from the contract, which is not loaded into the page. */
interface SandboxRequest<O extends Operation> {
  readonly method: O['method'];
  readonly path: string;
  readonly body?: SentBodyOf<O>;
}

/** Calls the sandbox that served the page. Throws `SandboxError` with the reason of a refusal. */
export async function callSandbox<O extends Operation>({
  method,
  path,
  body,
}: SandboxRequest<O>): Promise<ReturnsOf<O>> {
  const sent: unknown = body;
  const response = await fetch(path, {
    method,
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent ?? {}) }),
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
