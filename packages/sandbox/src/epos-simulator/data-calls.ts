import type { EposCallHeaders } from '@pos/rest-contracts/epos-data';
import type { LockRequestor } from '../epos/epos-locks.js';
import type { EposDataCall } from '../epos-data/epos-data-api.js';
import type { EposErrorType } from '../epos-data/epos-data-refusal.js';
import type { EposSimulator, EposCallResult } from './epos-simulator.js';
import type { FaultTransport } from './epos-faults.js';

/** Serves a call of the EPOS Data API over any transport. */
export async function serveDataCall(
  eposSimulator: EposSimulator,
  { name, params, headers }: Omit<EposDataCall, 'requestor'> & { readonly headers: EposCallHeaders },
  transport: FaultTransport,
): Promise<EposCallResult<unknown, EposErrorType>> {
  const call = { name, params, requestor: readCallRequestor(headers) };
  const proof = await eposSimulator.data.readIntentProof(call);
  const [sessionId, paymentId] = [readText(params['orderId']), readText(params['paymentIntentId'])];
  const arrival = { method: name, transport, requestor: call.requestor, sessionId, paymentId };
  return eposSimulator.serveData(arrival, () => eposSimulator.data.answerCall(call, proof));
}

/** The caller, from the headers. */
function readCallRequestor({ deviceType, deviceId, waiterId = '' }: EposCallHeaders): LockRequestor {
  if (deviceType === 'ConsumerDevice') return { kind: 'consumerDevice', terminalId: null, waiterId: null };
  const waiter = /^\d{1,9}$/.test(waiterId) ? Number(waiterId) : null;
  return { kind: 'cardMachine', terminalId: deviceId ?? null, waiterId: waiter };
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
