import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusal';
import {
  type CancelPaymentRequest,
  type CancelPaymentResponse,
  type DecideSignatureRequest,
  type DecideSignatureResponse,
  type FinishJourneyRequest,
  type FinishJourneyResponse,
  type GetDeviceSettingsRequest,
  type GetDeviceSettingsResponse,
  type GetJourneyRequest,
  type GetJourneyResponse,
  type Journey,
  JourneyServiceService,
  type MoveJourneyRequest,
  type MoveJourneyResponse,
  type PrintBillRequest,
  type PrintBillResponse,
  type PrintReceiptRequest,
  type PrintReceiptResponse,
  type SendReceiptRequest,
  type SendReceiptResponse,
  type StartJourneyRequest,
  type StartJourneyResponse,
  type TakePaymentRequest,
  type TakePaymentResponse,
  type WatchJourneyRequest,
  type WatchJourneyResponse,
} from '@pos/grpc-contracts/gateway';
import { type JourneyView, requireRunning } from '@pos/payments/journeys';
import { toRequestorInfo } from '@pos/payments/record-message';
import { BindGrpc, type Served } from '@pos/service-kit/bind-grpc';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure, tablesFailure } from '@pos/service-kit/grpc-errors';
import { DeviceAccess } from '../devices/device-access.js';
import { ownerOf, requireRequestor, requireSessionId, unreadable } from '../devices/device-request.js';
import { TableReads } from '../devices/table-reads.js';
import { JourneyDesk } from './journey-desk.js';
import { JourneyLinks, presentJourney, readAmount, readPart } from './journey-wire.js';
import { JourneyReceipts } from './journey-receipts.js';
import { JourneyWatch } from './journey-watch.js';
import { presentReceipt, readAddresses, readReceiptCopy } from './receipt-wire.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TID = /^[\x21-\x7e]{1,64}$/;
const SHARES_MAX = 1_000;

/** JourneyService: the paying of a session from start to finish, done here for the device. */
@BindGrpc(JourneyServiceService, { permission: 'tables.use' })
export class JourneyController implements Served<typeof JourneyServiceService> {
  constructor(
    private readonly desk: JourneyDesk,
    private readonly watch: JourneyWatch,
    private readonly reads: TableReads,
    private readonly links: JourneyLinks,
    private readonly receipts: JourneyReceipts,
    private readonly access: DeviceAccess,
  ) {}

  async getDeviceSettings(_: GetDeviceSettingsRequest, call: GrpcCall): Promise<GetDeviceSettingsResponse> {
    const { isEnabled, asksWaiterId, asksGratuity, offersEmailReceipts } = await this.access.settingsOf(
      call.caller.scope,
    );
    return { payAtTable: isEnabled, asksWaiterId, asksGratuity, offersEmailReceipts };
  }

  async startJourney(request: StartJourneyRequest, call: GrpcCall): Promise<StartJourneyResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    if (requestor.type === 'cardMachine' && requestor.terminalId === '') {
      throw unreadable('requestor_info.terminal_id', 'is missing: it names the device that holds the session');
    }
    const { caller } = call;
    await this.access.requireDevice(caller.scope, requestor);
    const asked = { sessionId: request.sessionId, requestorInfo: toRequestorInfo(requestor) };
    const { session } = (await this.reads.ask({ $case: 'getSession', value: asked }, call)).value;
    if (session === undefined) throw tablesFailure('SESSION_NO_SUCH_SESSION', 'the EPOS left the session out');
    const view = await this.desk.start(caller.scope, {
      sessionId: session.id,
      sessionName: session.name,
      tableName: session.tableName ?? null,
      isPayable: session.isPayable,
      owner: ownerOf(requestor, caller),
      requestor,
    });
    return { journey: this.#present(view) };
  }

  async takePayment(request: TakePaymentRequest, call: GrpcCall): Promise<TakePaymentResponse> {
    const { journeyId, mode, terminalId } = request;
    const paymentId = requireUuid('payment_id', request.paymentId);
    requireUuid('journey_id', journeyId);
    const gratuity = readAmount('gratuity_amount', request.gratuityAmount);
    const cashback = readAmount('cashback_amount', request.cashbackAmount);
    if (mode?.$case === 'items' && mode.value.items.length > SHARES_MAX) throw unreadable('items', 'are too many');
    const order = {
      journeyId,
      paymentId,
      fingerprint: fingerprintOf(request),
      wishFor: (currencyCode: string) => ({
        ...{ journeyId, paymentId, gratuity, cashback, tid: terminalId ?? null },
        part: readPart(mode, currencyCode),
      }),
    };
    try {
      return { journey: this.#present(await this.desk.take(call.caller, order)) };
    } catch (error) {
      if (error instanceof Refusal && REUSED.has(error.code)) {
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'payment_id: belongs to another payment');
      }
      throw error;
    }
  }

  async moveJourney({ journeyId, terminalId }: MoveJourneyRequest, call: GrpcCall): Promise<MoveJourneyResponse> {
    requireUuid('journey_id', journeyId);
    if (!TID.test(terminalId)) throw unreadable('terminal_id', 'must be the TID of a card machine');
    return { journey: this.#present(await this.desk.move(call.caller, journeyId.toLowerCase(), terminalId)) };
  }

  async cancelPayment({ paymentId }: CancelPaymentRequest, call: GrpcCall): Promise<CancelPaymentResponse> {
    const id = requireUuid('payment_id', paymentId);
    return { journey: this.#present(await this.desk.cancelPayment(call.caller.scope, id)) };
  }

  async decideSignature(request: DecideSignatureRequest, call: GrpcCall): Promise<DecideSignatureResponse> {
    const id = requireUuid('payment_id', request.paymentId);
    return { journey: this.#present(await this.desk.decideSignature(call.caller.scope, id, request.accepted)) };
  }

  async getJourney({ journeyId }: GetJourneyRequest, call: GrpcCall): Promise<GetJourneyResponse> {
    return { journey: this.#present(await this.desk.get(call.caller.scope, journeyId)) };
  }

  async *watchJourney({ journeyId }: WatchJourneyRequest, call: GrpcCall): AsyncGenerator<WatchJourneyResponse> {
    const views = this.watch.of(call.caller.scope, journeyId, call.signal);
    for await (const view of views) yield { journey: this.#present(view) };
  }

  async printBill({ journeyId }: PrintBillRequest, call: GrpcCall): Promise<PrintBillResponse> {
    const { journey } = await this.desk.get(call.caller.scope, journeyId);
    requireRunning(journey);
    const value = { sessionId: journey.sessionId, requestorInfo: toRequestorInfo(journey.requestor) };
    return (await this.reads.ask({ $case: 'getFullBill', value }, call)).value;
  }

  async printReceipt({ paymentId, copy }: PrintReceiptRequest, call: GrpcCall): Promise<PrintReceiptResponse> {
    const id = requireUuid('payment_id', paymentId);
    return { receipt: presentReceipt(await this.receipts.copy(call.caller.scope, id, readReceiptCopy(copy))) };
  }

  async sendReceipt({ paymentId, emailAddresses }: SendReceiptRequest, call: GrpcCall): Promise<SendReceiptResponse> {
    const id = requireUuid('payment_id', paymentId);
    await this.receipts.send(call.caller.scope, id, readAddresses(emailAddresses));
    return {};
  }

  async finishJourney({ journeyId }: FinishJourneyRequest, call: GrpcCall): Promise<FinishJourneyResponse> {
    return { journey: this.#present(await this.desk.finish(call.caller.scope, journeyId)) };
  }

  #present(view: JourneyView): Journey {
    return presentJourney(view, this.links);
  }
}

const REUSED: ReadonlySet<string> = new Set(['idempotency_key_reused', 'table_payment_id_reused']);

/** One spelling for one id, whoever wrote it. */
function requireUuid(member: string, text: string): string {
  if (!UUID.test(text)) throw unreadable(member, 'must be a UUID');
  return text.toLowerCase();
}

/** The whole request as one text, members in the order of their names. */
function fingerprintOf(request: TakePaymentRequest): string {
  const { journeyId, mode, gratuityAmount, cashbackAmount, terminalId = null } = request;
  return JSON.stringify([journeyId, mode, gratuityAmount, cashbackAmount, terminalId], (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
