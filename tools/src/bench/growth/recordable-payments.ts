import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { createPaymentIntent, readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { openClient } from '@pos/rest-contracts/client';
import { listTerminals } from '@pos/rest-contracts/accounts';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { connectPlainClient, type PlainClient } from '../load/plain-pool.js';
import { plantCopies } from './planted-payments.js';

/** A card payment of a machine that no table has yet, as a device names it. */
export interface RecordablePayment {
  readonly tid: string;
  readonly transactionId: string;
}

/** The account whose payments are planted. */
export interface PlantedAccount {
  readonly scope: Scope;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The login that may write every relation. */
  readonly ownerDatabaseUrl: string;
}

/** Machines with one session each: as many rounds may be in flight. */
export const MACHINES = 512;
/** The total of each payment, in minor units of GBP. */
export const RECORDABLE_VALUE = 100;
const PAYMENTS = 200_000;
const APPROVAL_MS_MAX = 60_000;

/**
 * Card payments to record at tables. A device's record counts only with a card transaction of its machine, and each
 * transaction counts once. One is taken by a card machine of the sandbox, and its rows are copied, for 512 machines.
 */
export class RecordablePayments {
  readonly #recorded = new Uint32Array(MACHINES);

  static async plant(place: PlantedAccount): Promise<RecordablePayments> {
    const intentId = await takeOnMachine(place);
    const owner = await connectPlainClient(place.ownerDatabaseUrl);
    try {
      await plantRows(owner, place.scope, intentId);
    } finally {
      await owner.end();
    }
    return new RecordablePayments();
  }

  /** The next payment of the machine with this number. Throws once all of it are used. */
  next(number: number): RecordablePayment {
    const machine = number % MACHINES;
    const recorded = this.#recorded[machine] ?? 0;
    const payment = recorded * MACHINES + machine;
    if (payment >= PAYMENTS) throw new Error(`machine ${machine} has no payment left: plant more than ${PAYMENTS}`);
    this.#recorded[machine] = recorded + 1;
    return { tid: `bench-${machine}`, transactionId: formatTransactionId(payment) };
  }
}

/** Takes a payment on a card machine of the sandbox, whose payer presents a card. Returns the id of its intent. */
async function takeOnMachine({ apiUrl, apiKey }: PlantedAccount): Promise<string> {
  const api = openClient({ baseUrl: apiUrl, apiKey, softwareHouseId: 'bench', resellerId: 'bench' });
  const [terminal] = await api(listTerminals, { query: { statuses: ['Available'] } });
  const { id: terminalId } = requireValue(terminal, 'a card machine that is free');
  const amount = { value: RECORDABLE_VALUE, currencyCode: 'GBP' };
  const { id } = await api(createPaymentIntent, { body: { amount, reference: 'table 4' } });
  await api(createTerminalSession, {
    body: { terminalId, details: { sessionType: 'Sale', sale: { paymentIntentId: id } } },
  });
  const until = performance.now() + APPROVAL_MS_MAX;
  while ((await api(readPaymentIntent, { params: { paymentIntentId: id } })).status !== 'Captured') {
    if (performance.now() > until) throw new Error('the card machine of the bench took no payment');
    await pause(100);
  }
  return id;
}

/** Copies the rows that prove a payment: the machine, its session, the call to the acquirer, and the intent. */
async function plantRows(owner: PlainClient, scope: Scope, intentId: string): Promise<void> {
  const sale = `t.terminal_session_id is not null and t.intent_id = '${intentId}'`;
  const terminalId = machineSql(`'ter_sandbox_bench'`);
  const sessionId = machineSql(`'ts_sandbox_bench'`);
  const reference = `'bench' || n`;
  await plantCopies(owner, scope, {
    ...{ relation: 'terminals', count: MACHINES, template: `t.account_id = '${scope.accountId}'` },
    columns: { id: terminalId, tid: machineSql(`'bench-'`), name: machineSql(`'Bench '`) },
  });
  await plantCopies(owner, scope, {
    ...{ relation: 'terminal_sessions', count: MACHINES, template: `t.intent_id = '${intentId}'` },
    columns: { id: sessionId, terminal_id: terminalId, acquirer_reference: reference },
  });
  await plantCopies(owner, scope, {
    ...{ relation: 'acquirer_calls', count: PAYMENTS, template: sale },
    columns: { reference, intent_id: PLANTED_INTENT_ID, terminal_session_id: sessionId },
  });
  await plantCopies(owner, scope, {
    ...{ relation: 'payment_intents', count: PAYMENTS, template: `t.id = '${intentId}'` },
    columns: {
      id: PLANTED_INTENT_ID,
      payment_details: `t.payment_details || jsonb_build_object('reference', ${reference}, 'transactionId', ${TRANSACTION_ID_SQL})`,
      // A sealed secret belongs to the id of its row.
      ...{ secret_hash: 'null', secret_ciphertext: 'null', secret_expire_at: 'null' },
    },
  });
  await owner.query('vacuum (analyze)');
}

const PLANTED_INTENT_ID = `'pi_sandbox_' || lpad(n::text, 22, 'b')`;
const TRANSACTION_ID_SQL = `'00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0')`;

/** The same as `TRANSACTION_ID_SQL`. */
function formatTransactionId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** A name by the number of the machine. */
function machineSql(prefix: string): string {
  return `${prefix} || n % ${MACHINES}`;
}
