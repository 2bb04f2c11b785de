import type { ServiceError } from '@grpc/grpc-js';
import type { AcquirerAnswer } from '@pos/core/ports';
import { answerFromWire } from './acquirer-wire.js';

export type Done<R> = (error: ServiceError | null, response: R) => void;
type Call<R> = (options: { readonly deadline: Date }, done: Done<R>) => void;

/** Every error of the wire means the same: nobody knows what was booked, and the reference will tell. */
export async function answered(
  deadlineMs: number,
  call: Call<{ readonly result?: Parameters<typeof answerFromWire>[0] | undefined }>,
): Promise<AcquirerAnswer> {
  try {
    const { result } = await called(deadlineMs, call);
    return result === undefined ? { outcome: 'unknown', reason: 'an answer without a result' } : answerFromWire(result);
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Rejects when there is no answer within the time. */
export function called<R>(deadlineMs: number, call: Call<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    call({ deadline: deadlineIn(deadlineMs) }, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

/** A deadline of the wire is a moment of this machine's own clock; it decides nothing about money. */
function deadlineIn(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}
