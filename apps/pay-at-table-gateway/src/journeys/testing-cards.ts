import type { AcquirerCall } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import type { MachineReport } from '@pos/core/machine-report';
import type { TablePayment } from '@pos/core/table-payment';
import { listCallsOfIntent } from '@pos/store/acquirer-calls';
import { findTerminal } from '@pos/store/terminals';
import { findTerminalSession } from '@pos/store/terminal-sessions';
import { type TableStage, until } from './testing.js';

export const CONFIRMED: MachineReport = { number: 1, kind: 'confirmed' };
export const CANCELED: MachineReport = { number: 2, kind: 'canceled' };

/** What happens at the card machines of a stage, and to their calls at the acquirer. */
export class CardSide {
  constructor(private readonly stage: TableStage) {}

  /** The machine that asks for the card says these. */
  async says(payment: TablePayment, ...reports: readonly MachineReport[]): Promise<void> {
    const { database, scope, sessions } = this.stage;
    for (const report of reports) {
      await database.transact(scope, async (tx) => {
        const session = required(await findTerminalSession(tx, payment.terminalSessionId ?? ''), 'the session');
        const terminal = required(await findTerminal(tx, session.terminalId), 'the terminal');
        await sessions.applyReport(tx, { terminal, sessionId: session.id, report });
      });
    }
  }

  /** The payment's card is looked at once more. */
  async looksAt({ id }: TablePayment): Promise<void> {
    await this.stage.age(id, 6_000);
    await until(async () => {
      const { dueAt, state } = await this.stage.paymentOf(id);
      return state !== 'Started' || (dueAt?.getTime() ?? 0) > Date.now();
    });
  }

  /** The machine says nothing until its time for the card is over. */
  async windowPasses({ terminalSessionId }: TablePayment): Promise<void> {
    const id = terminalSessionId ?? '';
    await this.#aged('terminal_sessions', 'expire_at', `id = '${id}'`);
    await this.stage.database.transact(this.stage.scope, (tx) => this.stage.sessions.applyWindowExpiry(tx, id));
  }

  /** The call of the machine that was asked first. */
  async callOfMachine({ intentId }: TablePayment): Promise<AcquirerCall> {
    const { database, scope } = this.stage;
    const calls = await database.read(scope, (reader) => listCallsOfIntent(reader, required(intentId, 'the intent')));
    return required(calls[0], 'the call of the machine');
  }

  async reversalComesDue({ reference }: AcquirerCall): Promise<void> {
    await this.#aged('acquirer_calls', 'deadline_at', `reference = '${reference}'`);
  }

  /** The reversal of the machine's call was ordered long ago, and so was the payment begun. */
  async reversalWaits({ id, intentId }: TablePayment): Promise<void> {
    await this.#aged('acquirer_calls', 'created_at', `intent_id = '${intentId ?? ''}'`);
    await this.#aged('table_payments', 'since', `id = '${id}'`);
  }

  async #aged(table: string, column: string, where: string): Promise<void> {
    const { accountId, environment } = this.stage.scope;
    await this.stage.database.dataSource.query(
      `update ${table} set ${column} = ${column} - interval '1 hour' where account_id = $1 and environment = $2 and ${where}`,
      [accountId, environment],
    );
  }
}
