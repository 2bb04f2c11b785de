import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { requireValue } from '@pos/core/refusals';
import type { MachineReport } from '@pos/core/terminals';
import type { TablePayment } from '@pos/core/tables';
import { listCallsOfIntent } from '@pos/store/payments';
import { findTerminal, findTerminalSession } from '@pos/store/terminals';
import { type TableTestEnvironment } from './table-world.js';
import { waitUntil } from './polling.js';

export const CONFIRMED: MachineReport = { number: 1, kind: 'confirmed' };
export const CANCELED: MachineReport = { number: 2, kind: 'canceled' };

/** The card machines of a test, and their calls at the acquirer. */
export class CardMachineTestDriver {
  constructor(private readonly environment: TableTestEnvironment) {}

  /** The reports of the machine that asks for the card. */
  async applyReports(payment: TablePayment, ...reports: readonly MachineReport[]): Promise<void> {
    const { database, scope, sessions } = this.environment;
    for (const report of reports) {
      await database.transact(scope, async (tx) => {
        const session = requireValue(await findTerminalSession(tx, payment.terminalSessionId ?? ''), 'the session');
        const terminal = requireValue(await findTerminal(tx, session.terminalId), 'the terminal');
        await sessions.applyReport(tx, { terminal, sessionId: session.id, report });
      });
    }
  }

  /** The card of the payment is checked again. */
  async waitForNextCheck({ id }: TablePayment): Promise<void> {
    await this.environment.shiftPaymentTimes(id, 6_000);
    await waitUntil(async () => {
      const { dueAt, state } = await this.environment.getPayment(id);
      return state !== 'Started' || (dueAt?.getTime() ?? 0) > Date.now();
    });
  }

  /** The machine sends nothing until its time for the card has passed. */
  async expireSessionWindow({ terminalSessionId }: TablePayment): Promise<void> {
    const id = terminalSessionId ?? '';
    await this.#shiftColumn('terminal_sessions', 'expire_at', `id = '${id}'`);
    await this.environment.database.transact(this.environment.scope, (tx) =>
      this.environment.sessions.applyWindowExpiry(tx, id),
    );
  }

  /** The call of the first machine. */
  async getMachineCall({ intentId }: TablePayment): Promise<AcquirerCall> {
    const { database, scope } = this.environment;
    const calls = await database.read(scope, (reader) =>
      listCallsOfIntent(reader, requireValue(intentId, 'the intent')),
    );
    return requireValue(calls[0], 'the call of the machine');
  }

  async makeReversalDue({ reference }: AcquirerCall): Promise<void> {
    await this.#shiftColumn('acquirer_calls', 'deadline_at', `reference = '${reference}'`);
  }

  /** Moves the payment and the reversal of the machine's call far back in time. */
  async ageReversal({ id, intentId }: TablePayment): Promise<void> {
    await this.#shiftColumn('acquirer_calls', 'created_at', `intent_id = '${intentId ?? ''}'`);
    await this.#shiftColumn('table_payments', 'since', `id = '${id}'`);
  }

  async #shiftColumn(table: string, column: string, where: string): Promise<void> {
    const { accountId, environment } = this.environment.scope;
    await this.environment.database.dataSource.query(
      `update ${table} set ${column} = ${column} - interval '1 hour' where account_id = $1 and environment = $2 and ${where}`,
      [accountId, environment],
    );
  }
}
