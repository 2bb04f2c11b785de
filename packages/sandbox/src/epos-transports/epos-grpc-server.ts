import { Metadata, status, type Server, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { TablesError, TablesServiceService, type TablesServiceServer } from '@pos/grpc-contracts/tables';
import { TABLES_ERROR_TRAILER } from '@pos/grpc-contracts/tables-error';
import { EPOS_ERRORS, type EposErrorCode } from '@pos/core/tables';
import {
  type TablesAnswer,
  type TablesCall,
  tablesCall,
  type TablesCallName,
  type TablesRequests,
  type TablesResponses,
} from '@pos/grpc-contracts/tables-methods';
import { serveTablesCall } from '../epos-simulator/tables-calls.js';
import { parseBasicCredentials, isEqualSecret } from './epos-credentials.js';
import type { EposSimulator } from '../epos-simulator/epos-simulator.js';
import { distortMessage } from '../epos-simulator/answer-distortion.js';
import { presentTablesError } from '../epos/tables-messages.js';

/** An EPOS that can be dialled, and the credentials that a caller needs. */
export interface DialableEpos {
  readonly simulator: EposSimulator;
  readonly merchantName: string;
  readonly password: string;
}

/** Serves TablesService for every EPOS that `findEpos` finds by the user name of the call. */
export function addTablesService(server: Server, findEpos: (username: string) => DialableEpos | null): void {
  const unary =
    <K extends TablesCallName>(name: K) =>
    (call: ServerUnaryCall<TablesRequests[K], TablesResponses[K]>, done: sendUnaryData<TablesResponses[K]>): void => {
      const epos = authenticateEpos(call.metadata, findEpos);
      if (epos === null) {
        done({ code: status.UNAUTHENTICATED, details: 'wrong user name or password' });
        return;
      }
      void answerGrpcCall(epos, tablesCall(name, call.request), (failure, answer) => {
        // The answer to a call is stored under the name of the call.
        done(failure, answer === null ? null : (answer.value as TablesResponses[K]));
      });
    };
  const service: TablesServiceServer = {
    listSessions: unary('listSessions'),
    getSession: unary('getSession'),
    listTables: unary('listTables'),
    getTable: unary('getTable'),
    getBillItems: unary('getBillItems'),
    listBillItems: unary('listBillItems'),
    getFullBill: unary('getFullBill'),
    lockSession: unary('lockSession'),
    unlockSession: unary('unlockSession'),
    recordPayment: unary('recordPayment'),
  };
  server.addService(TablesServiceService, service);
}

interface GrpcFailure {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

async function answerGrpcCall(
  epos: DialableEpos,
  call: TablesCall,
  done: (failure: GrpcFailure | null, answer: TablesAnswer | null) => void,
): Promise<void> {
  try {
    const callResult = await serveTablesCall(epos.simulator, call, {
      transport: 'grpc',
      merchantName: epos.merchantName,
    });
    switch (callResult.kind) {
      case 'answer':
        if (callResult.spoiling.isBroken) done({ code: status.INTERNAL, details: 'the answer cannot be read' }, null);
        else done(null, distortMessage(callResult.answer, callResult.spoiling));
        return;
      case 'refusal':
        done(toGrpcFailure(callResult.code, callResult.reason), null);
        return;
      case 'broken':
        done({ code: status.UNAVAILABLE, details: 'the connection broke' }, null);
        return;
      case 'silence':
        // Left open, as a lost packet would leave it: the caller's deadline ends it.
        return;
    }
  } catch {
    done({ code: status.INTERNAL, details: 'defect of the reference EPOS' }, null);
  }
}

function toGrpcFailure(code: EposErrorCode, reason: string): GrpcFailure {
  const metadata = new Metadata();
  metadata.set(TABLES_ERROR_TRAILER, Buffer.from(TablesError.encode(presentTablesError(code, reason)).finish()));
  return { code: status[EPOS_ERRORS[code].grpcStatus], details: `${code}: ${reason}`, metadata };
}

function authenticateEpos(
  metadata: Metadata,
  findEpos: (username: string) => DialableEpos | null,
): DialableEpos | null {
  const [authorization] = metadata.get('authorization');
  const presented = parseBasicCredentials(String(authorization ?? ''));
  const epos = presented === null ? null : findEpos(presented.username);
  return presented !== null && epos !== null && isEqualSecret(presented.password, epos.password) ? epos : null;
}
