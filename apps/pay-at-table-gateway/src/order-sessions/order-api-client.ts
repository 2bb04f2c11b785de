import type { Scope } from '@pos/core/identity';
import { EPOS_DATA_ERROR_CODES, type EposCapability, type OrderCall, type Requestor } from '@pos/core/tables';
import { cutStorableText } from '@pos/core/refusals';
import {
  type EposCallHeaders,
  type EposDataCallName,
  type EposDataResult,
  isEposDataRead,
  readEposAnswer,
  type UnreadableMember,
} from '@pos/rest-contracts/epos-data';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest } from '../epos-calls/tables-call.js';
import { createBrokenCall, createUnreadableAnswer } from '../epos-calls/call-failure.js';

/** The decoded answer to a call, or the outcome of the call of the pay-at-table contract. */
export type OrderCallResult<T> = { readonly value: T } | { readonly end: TablesOutcome; readonly outcome: DataOutcome };

/** The capabilities of an EPOS of the EPOS Data API, and the function that calls it. */
export interface OrderApi {
  readonly capabilities: ReadonlySet<EposCapability>;
  readonly callData: (request: DataCallRequest) => Promise<DataOutcome>;
  /** The zone of times without an offset. */
  readonly readZone: (scope: Scope) => Promise<string>;
  /** Whether cached tables and parties are used. False for the tester, which checks each call. */
  readonly usesCache: boolean;
}

/** A member that could not be read, and the call whose answer holds it. */
export interface CallFinding extends UnreadableMember {
  readonly name: EposDataCallName;
}

/** Makes the calls of the EPOS Data API for one call of the pay-at-table contract, with its requestor, deadline and fence. */
export class OrderApiClient {
  readonly #unreadable = new Map<string, CallFinding>();

  constructor(
    private readonly orderApi: OrderApi,
    private readonly callContext: {
      readonly request: Pick<TablesCallRequest, 'scope' | 'fence' | 'faults'>;
      readonly requestor: Requestor | null;
      readonly deadline: Deadline;
    },
  ) {}

  hasCapability(capability: EposCapability): boolean {
    return this.orderApi.capabilities.has(capability);
  }

  /** The members of all answers so far that could not be read. */
  listUnreadable(): readonly CallFinding[] {
    return [...this.#unreadable.values()];
  }

  /** Makes one call; `orderCall` determines the error code of a refusal. */
  async callEpos<N extends EposDataCallName>(
    name: N,
    params: Readonly<Record<string, unknown>>,
    orderCall: OrderCall,
  ): Promise<OrderCallResult<EposDataResult<N>>> {
    const { request, requestor, deadline } = this.callContext;
    const waitMs = Math.max(1, Math.ceil(deadline.getRemainingMs()));
    const outcome = await this.orderApi.callData({
      ...request,
      name,
      params,
      headers: buildRequestorHeaders(requestor),
      waitMs,
    });
    if (outcome.outcome === 'answered') {
      const reading = readEposAnswer(name, outcome.json, { zone: await this.orderApi.readZone(request.scope) });
      this.#storeFindings({ name, params }, reading.unreadable);
      if (reading.ok) return { value: reading.value };
      return { outcome, end: createUnreadableAnswer(`the answer to ${name} cannot be read: ${reading.reason}`) };
    }
    return { outcome, end: toTablesFailure(outcome, name, orderCall) };
  }

  /** A finding of an answer that is read twice is one. An element without an id has its place, which each page has. */
  #storeFindings({ name, params }: Pick<DataCallRequest, 'name' | 'params'>, found: readonly UnreadableMember[]): void {
    for (const each of found) {
      const page = each.element.startsWith('[') ? JSON.stringify(params) : '';
      this.#unreadable.set([name, page, each.element, each.member].join(' '), { name, ...each });
    }
  }
}

/** The headers of a requestor; empty if it is unknown. */
export function buildRequestorHeaders(requestor: Requestor | null): EposCallHeaders {
  if (requestor === null) return {};
  if (requestor.type === 'consumerDevice') return { serviceRequestingProduct: 'PayByQr', deviceType: 'ConsumerDevice' };
  const { terminalId, waiterId } = requestor;
  return {
    serviceRequestingProduct: 'PayAtTable',
    deviceType: 'CardMachine',
    ...(terminalId !== '' && { deviceId: terminalId }),
    ...(waiterId !== 0 && { waiterId: String(waiterId) }),
  };
}

function toTablesFailure(
  outcome: Exclude<DataOutcome, { outcome: 'answered' }>,
  name: EposDataCallName,
  orderCall: OrderCall,
): TablesOutcome {
  if (outcome.outcome !== 'refused') return outcome;
  const { errorType, debugMessage = '' } = outcome.error;
  // After an error of the EPOS a write may have been executed.
  if (errorType === 'UnexpectedError' && !isEposDataRead(name)) {
    return createBrokenCall(`the EPOS failed at ${name}${debugMessage === '' ? '' : `: ${debugMessage}`}`);
  }
  const reason = debugMessage === '' ? `the EPOS answered ${errorType} to ${name}` : debugMessage;
  return {
    outcome: 'refused',
    code: EPOS_DATA_ERROR_CODES[orderCall][errorType],
    reason: cutStorableText(reason, ORDER_REASON_LENGTH_MAX),
  };
}

const ORDER_REASON_LENGTH_MAX = 1_000;
