import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals';
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
import { type JourneyView, requireRunning, toRequestorInfo } from '@pos/payments/tables';
import { BindGrpc, createTablesFailure, type GrpcCall, type GrpcController, GrpcFailure } from '@pos/service-kit/grpc';
import { DeviceAccess } from '../devices/device-access.js';
import { getLeaseOwner, requireRequestor, requireSessionId, createParseRefusal } from '../devices/device-request.js';
import { TableReadService } from '../devices/table-read-service.js';
import { JourneyService } from './journey-service.js';
import { PaymentLinkBuilder, presentJourney, readAmount, readPart } from './journey-wire.js';
import { JourneyReceiptService } from './journey-receipt-service.js';
import { JourneyWatcher } from './journey-watcher.js';
import { presentReceipt, readAddresses, readReceiptCopy } from './receipt-wire.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TID = /^[\x21-\x7e]{1,64}$/;
const ITEM_SHARES_MAX = 1_000;

/** JourneyService: pays a session from start to finish for the device. */
@BindGrpc(JourneyServiceService, { permission: 'tables.use' })
export class JourneyController implements GrpcController<typeof JourneyServiceService> {
  constructor(
    private readonly journeyService: JourneyService,
    private readonly watch: JourneyWatcher,
    private readonly reads: TableReadService,
    private readonly links: PaymentLinkBuilder,
    private readonly receipts: JourneyReceiptService,
    private readonly access: DeviceAccess,
  ) {}

  async getDeviceSettings(_: GetDeviceSettingsRequest, call: GrpcCall): Promise<GetDeviceSettingsResponse> {
    const { isEnabled, asksWaiterId, asksGratuity, offersEmailReceipts } = await this.access.getSettings(
      call.caller.scope,
    );
    return { payAtTable: isEnabled, asksWaiterId, asksGratuity, offersEmailReceipts };
  }

  async startJourney(request: StartJourneyRequest, call: GrpcCall): Promise<StartJourneyResponse> {
    const requestor = requireRequestor(request.requestorInfo);
    requireSessionId(request.sessionId);
    if (requestor.type === 'cardMachine' && requestor.terminalId === '') {
      throw createParseRefusal('requestor_info.terminal_id', 'is missing: it names the device that holds the session');
    }
    const { caller } = call;
    await this.access.requireDevice(caller.scope, requestor);
    const sessionRequest = { sessionId: request.sessionId, requestorInfo: toRequestorInfo(requestor) };
    const { session } = (await this.reads.callEpos({ $case: 'getSession', value: sessionRequest }, call)).value;
    if (session === undefined) throw createTablesFailure('SESSION_NO_SUCH_SESSION', 'the EPOS left the session out');
    const view = await this.journeyService.startJourney(caller.scope, {
      sessionId: session.id,
      sessionName: session.name,
      tableName: session.tableName ?? null,
      isPayable: session.isPayable,
      owner: getLeaseOwner(requestor, caller),
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
    if (mode?.$case === 'items' && mode.value.items.length > ITEM_SHARES_MAX)
      throw createParseRefusal('items', 'are too many');
    const command = {
      journeyId,
      paymentId,
      fingerprint: buildFingerprint(request),
      buildRequest: (currencyCode: string) => ({
        ...{ journeyId, paymentId, gratuity, cashback, tid: terminalId ?? null },
        part: readPart(mode, currencyCode),
      }),
    };
    try {
      return { journey: this.#present(await this.journeyService.takePayment(call.caller, command)) };
    } catch (error) {
      if (error instanceof Refusal && REUSED_ID_CODES.has(error.code)) {
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'payment_id: belongs to another payment');
      }
      throw error;
    }
  }

  async moveJourney({ journeyId, terminalId }: MoveJourneyRequest, call: GrpcCall): Promise<MoveJourneyResponse> {
    requireUuid('journey_id', journeyId);
    if (!TID.test(terminalId)) throw createParseRefusal('terminal_id', 'must be the TID of a card machine');
    return {
      journey: this.#present(await this.journeyService.moveJourney(call.caller, journeyId.toLowerCase(), terminalId)),
    };
  }

  async cancelPayment({ paymentId }: CancelPaymentRequest, call: GrpcCall): Promise<CancelPaymentResponse> {
    const id = requireUuid('payment_id', paymentId);
    return { journey: this.#present(await this.journeyService.cancelPayment(call.caller.scope, id)) };
  }

  async decideSignature(request: DecideSignatureRequest, call: GrpcCall): Promise<DecideSignatureResponse> {
    const id = requireUuid('payment_id', request.paymentId);
    return {
      journey: this.#present(await this.journeyService.decideSignature(call.caller.scope, id, request.accepted)),
    };
  }

  async getJourney({ journeyId }: GetJourneyRequest, call: GrpcCall): Promise<GetJourneyResponse> {
    return { journey: this.#present(await this.journeyService.getJourney(call.caller.scope, journeyId)) };
  }

  async *watchJourney({ journeyId }: WatchJourneyRequest, call: GrpcCall): AsyncGenerator<WatchJourneyResponse> {
    const views = this.watch.watchJourney(call.caller.scope, journeyId, call.signal);
    for await (const view of views) yield { journey: this.#present(view) };
  }

  async printBill({ journeyId }: PrintBillRequest, call: GrpcCall): Promise<PrintBillResponse> {
    const { journey } = await this.journeyService.getJourney(call.caller.scope, journeyId);
    requireRunning(journey);
    const value = { sessionId: journey.sessionId, requestorInfo: toRequestorInfo(journey.requestor) };
    return (await this.reads.callEpos({ $case: 'getFullBill', value }, call)).value;
  }

  async printReceipt({ paymentId, copy }: PrintReceiptRequest, call: GrpcCall): Promise<PrintReceiptResponse> {
    const id = requireUuid('payment_id', paymentId);
    return { receipt: presentReceipt(await this.receipts.getCopy(call.caller.scope, id, readReceiptCopy(copy))) };
  }

  async sendReceipt({ paymentId, emailAddresses }: SendReceiptRequest, call: GrpcCall): Promise<SendReceiptResponse> {
    const id = requireUuid('payment_id', paymentId);
    await this.receipts.sendCopy(call.caller.scope, id, readAddresses(emailAddresses));
    return {};
  }

  async finishJourney({ journeyId }: FinishJourneyRequest, call: GrpcCall): Promise<FinishJourneyResponse> {
    return { journey: this.#present(await this.journeyService.finishJourney(call.caller.scope, journeyId)) };
  }

  #present(view: JourneyView): Journey {
    return presentJourney(view, this.links);
  }
}

const REUSED_ID_CODES: ReadonlySet<string> = new Set(['idempotency_key_reused', 'table_payment_id_reused']);

/** The canonical spelling of an id. */
function requireUuid(member: string, text: string): string {
  if (!UUID.test(text)) throw createParseRefusal(member, 'must be a UUID');
  return text.toLowerCase();
}

/** The whole request as one text, members in the order of their names. */
function buildFingerprint(request: TakePaymentRequest): string {
  const { journeyId, mode, gratuityAmount, cashbackAmount, terminalId = null } = request;
  return JSON.stringify([journeyId, mode, gratuityAmount, cashbackAmount, terminalId], (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
