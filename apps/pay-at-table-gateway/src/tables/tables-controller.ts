import {
  TablesServiceService,
  type GetBillItemsRequest,
  type GetBillItemsResponse,
  type GetFullBillRequest,
  type GetFullBillResponse,
  type GetSessionRequest,
  type GetSessionResponse,
  type GetTableRequest,
  type GetTableResponse,
  type ListBillItemsRequest,
  type ListBillItemsResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type ListTablesRequest,
  type ListTablesResponse,
  type LockSessionRequest,
  type LockSessionResponse,
  type RecordPaymentRequest,
  type RecordPaymentResponse,
  type UnlockSessionRequest,
  type UnlockSessionResponse,
} from '@pos/grpc-contracts/tables';
import { BindGrpc, type GrpcCall, type GrpcController } from '@pos/service-kit/grpc';
import { DeviceAccess } from '../devices/device-access.js';
import { requireName, requireNames, requireRequestor, requireSessionId } from '../devices/device-request.js';
import { DeviceLockService } from './device-lock-service.js';
import { DevicePaymentService } from './device-payment-service.js';
import { replaceUnknownValues } from '../devices/unknown-values.js';
import { TableReadService } from '../devices/table-read-service.js';

/**
 * TablesService for devices: reads go to the account's EPOS; locks and payments go through our own leases first. Unlocking
 * and recording end what has begun, so no setting of the account refuses them.
 */
@BindGrpc(TablesServiceService, { permission: 'tables.use' })
export class TablesController implements GrpcController<typeof TablesServiceService> {
  constructor(
    private readonly reads: TableReadService,
    private readonly locks: DeviceLockService,
    private readonly records: DevicePaymentService,
    private readonly access: DeviceAccess,
  ) {}

  async listSessions(value: ListSessionsRequest, call: GrpcCall): Promise<ListSessionsResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireNames('table_names', value.tableNames);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'listSessions', value }, call)).value;
  }

  async getSession(value: GetSessionRequest, call: GrpcCall): Promise<GetSessionResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'getSession', value }, call)).value;
  }

  async listTables(value: ListTablesRequest, call: GrpcCall): Promise<ListTablesResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireNames('statuses', value.statuses);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'listTables', value: replaceUnknownValues(value) }, call)).value;
  }

  async getTable(value: GetTableRequest, call: GrpcCall): Promise<GetTableResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireName('name', value.name);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'getTable', value }, call)).value;
  }

  async getBillItems(value: GetBillItemsRequest, call: GrpcCall): Promise<GetBillItemsResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'getBillItems', value }, call)).value;
  }

  async listBillItems(value: ListBillItemsRequest, call: GrpcCall): Promise<ListBillItemsResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireNames('session_ids', value.sessionIds);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'listBillItems', value }, call)).value;
  }

  async getFullBill(value: GetFullBillRequest, call: GrpcCall): Promise<GetFullBillResponse> {
    const requestor = requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    await this.access.requireDevice(call.caller.scope, requestor);
    return (await this.reads.callEpos({ $case: 'getFullBill', value }, call)).value;
  }

  async lockSession(request: LockSessionRequest, call: GrpcCall): Promise<LockSessionResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    await this.access.requireDevice(call.caller.scope, requestor);
    return this.locks.lockSession({ requestor, call, sessionId: request.sessionId });
  }

  async unlockSession(request: UnlockSessionRequest, call: GrpcCall): Promise<UnlockSessionResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    return this.locks.unlockSession({ requestor, call, sessionId: request.sessionId });
  }

  async recordPayment(request: RecordPaymentRequest, call: GrpcCall): Promise<RecordPaymentResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    return this.records.recordPayment(replaceUnknownValues(request), { requestor, call });
  }
}
