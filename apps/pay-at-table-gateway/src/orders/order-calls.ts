import { EPOS_DATA_ERROR_CODES, type OrderCall } from '@pos/core/epos-error';
import type { EposCapability } from '@pos/core/epos-capability';
import type { Requestor } from '@pos/core/lease';
import { cutStorableText } from '@pos/core/storable-text';
import type { EposCallHeaders, EposDataCallName, EposDataResult } from '@pos/rest-contracts/epos-data';
import { isEposDataRead } from '@pos/rest-contracts/epos-data';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import {
  type DataOutcome,
  type DataWish,
  type Deadline,
  type EposOutcome,
  type EposWish,
  noAnswer,
  unreadable,
} from '../epos/tables-call.js';

/** What came of a call: its answer, read, or how the call of the pay-at-table contract ends that it was made for. */
export type Got<T> = { readonly value: T } | { readonly end: EposOutcome; readonly said: DataOutcome };

/** What an EPOS of the EPOS Data API can do, and how it is asked. */
export interface OrderAsking {
  readonly capabilities: ReadonlySet<EposCapability>;
  readonly ask: (wish: DataWish) => Promise<DataOutcome>;
  /** What it told of tables and guests a moment ago counts; not where a tester wants to see its calls made. */
  readonly isRemembered: boolean;
}

/** The calls that one call of the pay-at-table contract is made of: the same asker, deadline and fence for all of them. */
export class OrderCalls {
  constructor(
    private readonly asking: OrderAsking,
    private readonly at: {
      readonly wish: Pick<EposWish, 'scope' | 'fence' | 'faults'>;
      readonly requestor: Requestor | null;
      readonly deadline: Deadline;
    },
  ) {}

  can(capability: EposCapability): boolean {
    return this.asking.capabilities.has(capability);
  }

  /** Makes one call; `as` says what its refusal means at the table. */
  async get<N extends EposDataCallName>(
    name: N,
    params: Readonly<Record<string, unknown>>,
    as: OrderCall,
  ): Promise<Got<EposDataResult<N>>> {
    const { wish, requestor, deadline } = this.at;
    const waitMs = Math.max(1, Math.ceil(deadline.leftMs()));
    const said = await this.asking.ask({ ...wish, name, params, headers: headersOf(requestor), waitMs });
    if (said.outcome === 'answered') {
      const reading = readEposAnswer(name, said.json);
      if (reading.ok) return { value: reading.value };
      return { said, end: unreadable(`the answer to ${name} cannot be read: ${reading.reason}`) };
    }
    return { said, end: endOf(said, name, as) };
  }
}

/** Who asks, as far as he is known. */
export function headersOf(requestor: Requestor | null): EposCallHeaders {
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

function endOf(
  said: Exclude<DataOutcome, { outcome: 'answered' }>,
  name: EposDataCallName,
  as: OrderCall,
): EposOutcome {
  if (said.outcome !== 'refused') return said;
  const { errorType, debugMessage = '' } = said.error;
  // Of a change that an EPOS failed over nobody knows whether it was made.
  if (errorType === 'UnexpectedError' && !isEposDataRead(name)) {
    return noAnswer(`the EPOS failed at ${name}${debugMessage === '' ? '' : `: ${debugMessage}`}`);
  }
  const reason = debugMessage === '' ? `the EPOS answered ${errorType} to ${name}` : debugMessage;
  return {
    outcome: 'refused',
    code: EPOS_DATA_ERROR_CODES[as][errorType],
    reason: cutStorableText(reason, REASON_LENGTH_MAX),
  };
}

const REASON_LENGTH_MAX = 1_000;
