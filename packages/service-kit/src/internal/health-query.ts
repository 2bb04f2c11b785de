import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js';
import { assert } from '@pos/core/refusals';
import { service } from 'grpc-health-check';

/** The name under which a card vault reports whether it can decrypt the stored card numbers. */
export const STORED_NUMBERS_HEALTH = 'service.card_vault.v1.StoredNumbers';

/** `unknown`: the server has no such name, or does not answer. */
export type HealthAnswer = 'serving' | 'notServing' | 'unknown';

const ANSWERS: Readonly<Record<string, HealthAnswer>> = { SERVING: 'serving', NOT_SERVING: 'notServing' };

/** Asks the standard health service of a gRPC port about a name. */
export function queryHealth(client: Client, name: string, deadlineMs: number): Promise<HealthAnswer> {
  const check = service['Check'];
  assert(check !== undefined, 'the health service has the rpc Check');
  const { path, requestSerialize, responseDeserialize } = check;
  const deadline = Date.now() + deadlineMs;
  return new Promise((resolve) => {
    const done = (error: ServiceError | null, answer: object = {}): void => {
      const status = error === null && 'status' in answer ? String(answer.status) : '';
      resolve(ANSWERS[status] ?? 'unknown');
    };
    const request = { service: name };
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, new Metadata(), { deadline }, done);
  });
}
