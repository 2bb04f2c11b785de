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
import { BindGrpc, type Served } from '@pos/service-kit/bind-grpc';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { requireName, requireNames, requireRequestor, requireSessionId } from './device-request.js';
import { DeviceLocks } from '../journeys/device-locks.js';
import { DeviceRecords } from '../journeys/device-records.js';
import { TableReads } from './table-reads.js';

/** TablesService for devices: reads go to the account's EPOS; locks and payments go through our own leases first. */
@BindGrpc(TablesServiceService, { permission: 'tables.use' })
export class TablesController implements Served<typeof TablesServiceService> {
  constructor(
    private readonly reads: TableReads,
    private readonly locks: DeviceLocks,
    private readonly records: DeviceRecords,
  ) {}

  async listSessions(value: ListSessionsRequest, call: GrpcCall): Promise<ListSessionsResponse> {
    requireRequestor(value.requestorInfo);
    requireNames('table_names', value.tableNames);
    return (await this.reads.ask({ $case: 'listSessions', value }, call)).value;
  }

  async getSession(value: GetSessionRequest, call: GrpcCall): Promise<GetSessionResponse> {
    requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    return (await this.reads.ask({ $case: 'getSession', value }, call)).value;
  }

  async listTables(value: ListTablesRequest, call: GrpcCall): Promise<ListTablesResponse> {
    requireRequestor(value.requestorInfo);
    requireNames('statuses', value.statuses);
    return (await this.reads.ask({ $case: 'listTables', value }, call)).value;
  }

  async getTable(value: GetTableRequest, call: GrpcCall): Promise<GetTableResponse> {
    requireRequestor(value.requestorInfo);
    requireName('name', value.name);
    return (await this.reads.ask({ $case: 'getTable', value }, call)).value;
  }

  async getBillItems(value: GetBillItemsRequest, call: GrpcCall): Promise<GetBillItemsResponse> {
    requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    return (await this.reads.ask({ $case: 'getBillItems', value }, call)).value;
  }

  async listBillItems(value: ListBillItemsRequest, call: GrpcCall): Promise<ListBillItemsResponse> {
    requireRequestor(value.requestorInfo);
    requireNames('session_ids', value.sessionIds);
    return (await this.reads.ask({ $case: 'listBillItems', value }, call)).value;
  }

  async getFullBill(value: GetFullBillRequest, call: GrpcCall): Promise<GetFullBillResponse> {
    requireRequestor(value.requestorInfo);
    requireSessionId(value.sessionId);
    return (await this.reads.ask({ $case: 'getFullBill', value }, call)).value;
  }

  async lockSession(request: LockSessionRequest, call: GrpcCall): Promise<LockSessionResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    return this.locks.lock({ requestor, call, sessionId: request.sessionId });
  }

  async unlockSession(request: UnlockSessionRequest, call: GrpcCall): Promise<UnlockSessionResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    return this.locks.unlock({ requestor, call, sessionId: request.sessionId });
  }

  async recordPayment(request: RecordPaymentRequest, call: GrpcCall): Promise<RecordPaymentResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    return this.records.record(request, { requestor, call });
  }
}
