import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Align,
  CardPresentPaymentStatus,
  CardScheme,
  CardholderVerificationMethod,
  EntryMode,
  type FullBill,
  HorizontalLine,
  PaymentMethod,
  ReceiptLineType,
  RecordPaymentRequest,
  Size,
  TablesServiceService,
  TableStatus,
} from '@pos/grpc-contracts/tables';
import { putEposIntegration } from '@pos/store/repositories';
import type { RunningGateway } from '../boot.js';
import { buildDevicePayment, buildMachineRequestor, GatewayEnvironment } from '../testing/gateway-world.js';
import { callUnary, TestDevice } from '../testing/payment-device.js';
import { replaceUnknownValues } from './unknown-values.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(async () => {
  for (const close of closers) close();
  await environment.close();
});

const SESSION = '5c1b6f0e-0000-4000-8000-000000000001';
const requestorInfo = buildMachineRequestor('90000001');

/** A field of protobuf with a number: its tag, then the value. */
const field = (tag: number, value: number): Buffer => Buffer.from([tag << 3, value]);
/** A field with bytes. */
const message = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([(tag << 3) | 2, bytes.length]), bytes]);
};

/** A number that no value of any list has. */
const STRANGE = 99;

/** An EPOS that answers with these bytes. */
async function serveBytes(answers: Readonly<Record<string, Buffer>>): Promise<TestDevice> {
  const server = new Server();
  for (const [name, definition] of Object.entries(TablesServiceService)) {
    const raw = { ...definition, responseSerialize: (bytes: Buffer) => bytes };
    const handle: handleUnaryCall<unknown, Buffer> = (_, done) => done(null, answers[name] ?? Buffer.alloc(0));
    server.addService({ [name]: raw }, { [name]: handle });
  }
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const account = await environment.createAccount();
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'grpc', username: 'till', password: 'secret', capabilities: [] },
      url: `http://127.0.0.1:${port}`,
    }),
  );
  const device = new TestDevice(gateway, account.apiKey);
  closers.push(
    () => device.close(),
    () => server.forceShutdown(),
  );
  return device;
}

test('a table with a status that we do not know reaches the device with an unknown status', async () => {
  // Table: name, max_covers, status.
  const table = message(1, message(1, 'T1'), field(2, 4), field(3, STRANGE));
  const { tablesClient, metadata } = await serveBytes({ listTables: table });
  expect(
    await callUnary((done) => tablesClient.listTables({ statuses: [], requestorInfo }, metadata, done)),
  ).toMatchObject({ tables: [{ name: 'T1', status: TableStatus.TABLE_STATUS_UNSPECIFIED }] });
});

test('the lines of a bill are printed by their members, and unknown looks are left out', () => {
  const text = { value: 'Thank you', size: Size.UNRECOGNIZED, align: Align.UNRECOGNIZED, emphasisBold: undefined };
  const fullBill: FullBill = {
    billItems: undefined,
    footer: undefined,
    header: {
      receiptLines: [
        { receiptLineType: ReceiptLineType.UNRECOGNIZED, line: { $case: 'receiptText', value: text } },
        { receiptLineType: ReceiptLineType.UNRECOGNIZED, line: undefined },
        {
          receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
          line: { $case: 'receiptHorizontalLine', value: { type: HorizontalLine.UNRECOGNIZED } },
        },
      ],
    },
  };
  expect(replaceUnknownValues(fullBill).header?.receiptLines).toEqual([
    {
      receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_TEXT,
      line: { $case: 'receiptText', value: { ...text, size: Size.SIZE_UNSPECIFIED, align: undefined } },
    },
    {
      receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
      line: { $case: 'receiptHorizontalLine', value: { type: HorizontalLine.HORIZONTAL_LINE_UNSPECIFIED } },
    },
  ]);
});

test('the payment of a device reaches the EPOS with UNKNOWN for what we do not know', () => {
  const card = { scheme: CardScheme.UNRECOGNIZED, last4Pan: 'UNRECOGNIZED', expiryDate: undefined };
  const request = RecordPaymentRequest.fromPartial({
    requestorInfo,
    payment: {
      ...buildDevicePayment(SESSION),
      methodDetails: {
        method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
        cardPresentPaymentStatus: CardPresentPaymentStatus.UNRECOGNIZED,
        cardPresentPaymentInfo: {
          entryMode: EntryMode.UNRECOGNIZED,
          cardholderVerificationMethod: CardholderVerificationMethod.UNRECOGNIZED,
          card,
        },
      },
    },
  });
  const { payment } = replaceUnknownValues(request);
  expect(payment?.attemptedAt).toBe(request.payment?.attemptedAt);
  expect(payment?.methodDetails).toMatchObject({
    cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_UNKNOWN,
    cardPresentPaymentInfo: {
      entryMode: EntryMode.ENTRY_MODE_UNKNOWN,
      cardholderVerificationMethod: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_UNKNOWN,
      // Text is no value of a list.
      card: { scheme: CardScheme.CARD_SCHEME_UNKNOWN, last4Pan: 'UNRECOGNIZED' },
    },
  });
  // The ten bytes by which protobuf writes -1, ts-proto's UNRECOGNIZED. A single byte 0xff occurs in times and amounts.
  const unrecognized = Buffer.from('ffffffffffffffffff01', 'hex');
  const bytesOf = (sent: RecordPaymentRequest) => Buffer.from(RecordPaymentRequest.encode(sent).finish());
  expect(bytesOf(request).includes(unrecognized)).toBe(true);
  expect(bytesOf(replaceUnknownValues(request)).includes(unrecognized)).toBe(false);
});
