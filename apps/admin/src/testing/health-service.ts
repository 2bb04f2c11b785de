import type { sendUnaryData, ServiceDefinition, ServerUnaryCall } from '@grpc/grpc-js';
import { STORED_NUMBERS_HEALTH } from '@pos/service-kit/internal';

/** The rpc Check of grpc.health.v1, by its bytes: a request has one text, an answer one number. */
export const HEALTH_SERVICE = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    ...{ requestStream: false, responseStream: false },
    requestSerialize: (name: string) => Buffer.from(`\n${String.fromCharCode(name.length)}${name}`),
    requestDeserialize: (bytes: Buffer) => bytes.subarray(2).toString(),
    responseSerialize: (status: number) => Buffer.from([0x08, status]),
    responseDeserialize: (bytes: Buffer) => bytes[1] ?? 0,
  },
} satisfies ServiceDefinition;

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

/** A card vault's answer about the stored numbers; null: it has none. */
export function answerHealth(canDecrypt: () => boolean | null) {
  return {
    check: (call: ServerUnaryCall<string, number>, done: sendUnaryData<number>): void => {
      const answer = call.request === STORED_NUMBERS_HEALTH ? canDecrypt() : null;
      done(null, answer === null ? SERVICE_UNKNOWN : answer ? SERVING : NOT_SERVING);
    },
  };
}
