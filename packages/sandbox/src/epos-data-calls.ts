import type { EposCallHeaders } from '@pos/rest-contracts/epos-data';
import type { Requestor } from './epos-locks.js';
import type { DataCall } from './epos-data.js';
import type { EposErrorType } from './epos-data-refusal.js';
import type { EposDoor, EposServed } from './epos-door.js';
import type { EposTransport } from './epos-faults.js';

/** Serves a call of the EPOS Data API, over whichever transport it came. */
export async function serveDataCall(
  door: EposDoor,
  { name, params, headers }: Omit<DataCall, 'requestor'> & { readonly headers: EposCallHeaders },
  transport: EposTransport,
): Promise<EposServed<unknown, EposErrorType>> {
  const call = { name, params, requestor: requestorOf(headers) };
  const proof = await door.data.proofFor(call);
  const [sessionId, paymentId] = [textOf(params['orderId']), textOf(params['paymentIntentId'])];
  const arrival = { method: name, transport, requestor: call.requestor, sessionId, paymentId };
  return door.serveData(arrival, () => door.data.answer(call, proof));
}

/** Who asks, as far as the headers say. */
function requestorOf({ deviceType, deviceId, waiterId = '' }: EposCallHeaders): Requestor {
  if (deviceType === 'ConsumerDevice') return { kind: 'consumerDevice', terminalId: null, waiterId: null };
  const waiter = /^\d{1,9}$/.test(waiterId) ? Number(waiterId) : null;
  return { kind: 'cardMachine', terminalId: deviceId ?? null, waiterId: waiter };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
