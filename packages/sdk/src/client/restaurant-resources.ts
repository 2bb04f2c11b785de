import type { OPERATIONS } from '../gen/operations.js';
import { iterateList } from './iterators.js';
import type { MethodMaker } from './method.js';

/** Card machines, tables and the point of sale. */
export function createRestaurantResources(method: MethodMaker<keyof typeof OPERATIONS>) {
  const listCalls = method('listTableOperatorCalls');
  return {
    terminals: {
      list: method('listTerminals'),
      read: method('readTerminal'),
      resetMachine: method('resetTerminalMachine'),
    },
    terminalSessions: {
      create: method('createTerminalSession'),
      read: method('readTerminalSession'),
      cancel: method('cancelTerminalSession'),
      decideSignature: method('decideSignature'),
    },
    payAtTable: {
      listPending: method('listPendingPayments'),
      resolvePending: method('resolvePendingPayment'),
      listLeases: method('listTableLeases'),
      releaseLease: method('releaseTableLease'),
      listOperatorCalls: listCalls,
      listAllOperatorCalls: iterateList(listCalls),
      replayEposEvents: method('replayEposEvents'),
    },
    epos: {
      listIntegrations: method('listEposIntegrations'),
      readRest: method('readRestIntegration'),
      putRest: method('putRestIntegration'),
      deleteRest: method('deleteRestIntegration'),
      readWs: method('readWsIntegration'),
      putWs: method('putWsIntegration'),
      deleteWs: method('deleteWsIntegration'),
      readGrpc: method('readGrpcIntegration'),
      putGrpc: method('putGrpcIntegration'),
      deleteGrpc: method('deleteGrpcIntegration'),
      readServiceManaged: method('readServiceManagedIntegrations'),
      reportEvent: method('reportEposEvent'),
      submitOrder: method('submitOrder'),
      readOrderPlacement: method('getOrderPlacement'),
    },
  };
}
