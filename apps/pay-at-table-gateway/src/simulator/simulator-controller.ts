import { Controller } from '@nestjs/common';
import { EPOS_ERRORS, EPOS_SILENCES, type EposErrorCode } from '@pos/core/tables';
import type { Caller } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import { proveByIntent, readPaymentClaim } from '@pos/payments/tables';
import type { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { Database } from '@pos/store/database';
import { hasValidAmounts } from '../order-sessions/order-payment-recorder.js';
import { Refusal } from '@pos/core/refusals';
import { JsonEdgeError } from '@pos/grpc-contracts/json-edge';
import { simulateDevice, type SimulatorError } from '@pos/rest-contracts/sandbox';
import { type OperationCall, StoredReply, Serve } from '@pos/service-kit/http';
import { DeviceAccess } from '../devices/device-access.js';
import { getLeaseOwner } from '../devices/device-request.js';
import { readRequestor } from '../epos-calls/epos-wire.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import {
  getTablesCall,
  readTablesCall,
  type TablesCall,
  type TablesCallName,
  toTablesContent,
} from '@pos/grpc-contracts/tables-methods';
import { type SimulatedDevice, SimulatedLocks } from './simulated-locks.js';
import { describeEarlyEnd } from '../epos-calls/call-failure.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';

/** Longer than any call with all its repeats, so that the limits of the client apply. */
const SIMULATOR_TIMEOUT_MS = 60_000;

/**
 * Calls the account's own EPOS like a device, for its developers. It relays the messages unchanged, unless another device
 * holds the session. A successful payment must be one that a card machine of the sandbox has taken, as for a device; the
 * simulator stores no payment.
 */
@Controller()
export class SimulatorController {
  constructor(
    private readonly tablesClient: EposTablesClient,
    private readonly access: DeviceAccess,
    private readonly locks: SimulatedLocks,
    private readonly database: Database,
  ) {}

  @Serve(simulateDevice)
  async simulate({ caller, params, body }: OperationCall<typeof simulateDevice>) {
    const name = getTablesCall(params.method);
    if (name === null) throw new Refusal('path_unknown', 'There is no such method.');
    await this.access.requireEnabled(caller.scope);
    const call = readSimulatedCall(name, body);
    if (call instanceof JsonEdgeError) return createErrorReply('ERROR_PARSE_ERROR', call.message);
    const write = findWrite(call, caller);
    if (write !== null) {
      const objection = await this.locks.findObjection(caller.scope, write.sessionId, write.device);
      if (objection !== null) return createErrorReply(REFUSAL_CODES[write.kind], objection);
    }
    const unproved = call.$case === 'recordPayment' ? await this.#findUnproved(caller.scope, call.value) : null;
    if (unproved !== null) return unproved;
    const { outcome } = await this.tablesClient.callTables({
      ...{ scope: caller.scope, call, waitMs: SIMULATOR_TIMEOUT_MS, fence: null, faults: null },
    });
    if (write !== null && outcome.outcome === 'answered') this.#recordWrite(caller.scope, write);
    return toReply(outcome);
  }

  #recordWrite(scope: Scope, { kind, sessionId, device }: SimulatedWrite): void {
    if (kind === 'unlockSession') this.locks.recordUnlock(scope, sessionId);
    else if (kind === 'lockSession') this.locks.recordLock(scope, sessionId, device);
    else this.locks.extendLock(scope, sessionId, device);
  }

  /** Why a payment is not recorded, or null: it is proved, or it is an unsuccessful attempt. */
  async #findUnproved(scope: Scope, { payment, requestorInfo }: RecordPaymentRequest): Promise<StoredReply | null> {
    if (payment?.paymentSuccessful !== true) return null;
    if (!hasValidAmounts(payment)) {
      return createErrorReply('ERROR_PARSE_ERROR', 'payment: its amounts or its currency are invalid');
    }
    const proof = await this.database.transact(scope, (tx) =>
      proveByIntent(tx, readPaymentClaim(payment, requestorInfo)),
    );
    switch (proof.outcome) {
      case 'proved':
        return null;
      case 'refused':
        return createErrorReply('PAYMENT_NOT_RECORDED', `no card transaction proves this payment: ${proof.reason}`);
      case 'missing':
        return createErrorReply(
          'PAYMENT_NOT_RECORDED',
          'no card transaction proves this payment: the service does not know it',
        );
    }
  }
}

/** A call that only the holder of the session may make. */
interface SimulatedWrite {
  readonly kind: keyof typeof REFUSAL_CODES;
  readonly sessionId: string;
  readonly device: SimulatedDevice;
}

const REFUSAL_CODES = {
  lockSession: 'SESSION_ALREADY_LOCKED',
  unlockSession: 'SESSION_NOT_LOCKED',
  recordPayment: 'SESSION_NOT_LOCKED',
} as const satisfies Partial<Record<TablesCallName, EposErrorCode>>;

/** The write of a call; null for a read. */
function findWrite(call: TablesCall, caller: Pick<Caller, 'keyId'>): SimulatedWrite | null {
  const requestor = readRequestor(call.value.requestorInfo);
  if (requestor === null) return null;
  const device = { owner: getLeaseOwner(requestor, caller), requestor };
  if (call.$case === 'lockSession' || call.$case === 'unlockSession')
    return { kind: call.$case, sessionId: call.value.sessionId, device };
  if (call.$case !== 'recordPayment') return null;
  return { kind: call.$case, sessionId: call.value.payment?.sessionId ?? '', device };
}

function readSimulatedCall(name: TablesCallName, body: unknown): TablesCall | JsonEdgeError {
  try {
    return readTablesCall(name, body);
  } catch (error) {
    if (error instanceof JsonEdgeError) return error;
    throw error;
  }
}

function toReply(outcome: TablesOutcome): StoredReply {
  switch (outcome.outcome) {
    case 'answered':
      try {
        return createReply(200, toTablesContent(outcome.answer));
      } catch (error) {
        if (!(error instanceof JsonEdgeError)) throw error;
        return createErrorReply(
          'ERROR_INTERNAL_POS_ERROR',
          `the EPOS sent an answer that cannot be used: ${error.message}`,
        );
      }
    case 'refused':
      return createErrorReply(outcome.code, outcome.reason);
    case 'credentialsRefused':
    case 'notSent':
      return createNoAnswerReply(EPOS_SILENCES.notConnected.simulatorHttp, outcome.reason);
    case 'noAnswer':
      return describeEarlyEnd(outcome).isEarly === true
        ? createErrorReply('ERROR_INTERNAL_POS_ERROR', outcome.reason)
        : createNoAnswerReply(EPOS_SILENCES.noAnswer.simulatorHttp, outcome.reason);
  }
}

function createErrorReply(errorCode: EposErrorCode, errorReason: string): StoredReply {
  return createReply(EPOS_ERRORS[errorCode].simulatorHttp, { errorCode, errorReason } satisfies SimulatorError);
}

/** An EPOS that has not answered has no error code. */
function createNoAnswerReply(status: number, errorReason: string): StoredReply {
  return createReply(status, { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason } satisfies SimulatorError);
}

function createReply(status: number, body: unknown): StoredReply {
  return new StoredReply({ status, body: JSON.stringify(body) }, false);
}
