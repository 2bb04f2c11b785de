import type { ReceiptHeading } from '@pos/core/receipt';
import type { TerminalSession } from '@pos/core/terminal-session';
import type { Tx } from '@pos/store/database';
import { findTerminal } from '@pos/store/terminals';
import type { Accounts } from './accounts.js';

/** What stands at the head of a session's receipts: the account, and the machine that it runs on. */
export async function receiptHeading(
  tx: Tx,
  accounts: Accounts,
  { terminalId }: Pick<TerminalSession, 'terminalId'>,
): Promise<ReceiptHeading> {
  const { tradingName, settings } = await accounts.get(tx);
  const terminal = await findTerminal(tx, terminalId);
  return {
    merchantName: tradingName,
    phoneNumber: settings.phoneNumber,
    site: settings.site,
    tid: terminal?.tid ?? '',
    table: null,
    handset: null,
  };
}
