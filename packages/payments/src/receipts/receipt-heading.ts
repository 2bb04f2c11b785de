import type { ReceiptHeading } from '@pos/core/receipts';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { TerminalSession } from '@pos/core/terminals';
import type { Reader } from '@pos/store/database';
import { readTimeZoneOfTerminal } from '@pos/store/repositories';
import { findTerminal } from '@pos/store/terminals';
import type { AccountCache } from '../accounts/account-cache.js';

/** A terminal session and the payment intent it belongs to. */
interface ReceiptSession {
  readonly session: Pick<TerminalSession, 'terminalId'>;
  readonly intent: { readonly intent: Pick<PaymentIntent, 'details' | 'paymentSource'> } | null;
}

/**
 * The heading of a session's receipts: the account, and the machine that it runs on. For a payment at the table it
 * also contains the table and the machine's name, by which staff distinguish their handsets.
 */
export async function buildReceiptHeading(
  tx: Reader,
  accounts: AccountCache,
  { session, intent }: ReceiptSession,
): Promise<ReceiptHeading> {
  const { tradingName, settings } = await accounts.get(tx);
  const terminal = await findTerminal(tx, session.terminalId);
  const isAtTable = intent?.intent.paymentSource === 'pay-at-table';
  return {
    merchantName: tradingName,
    phoneNumber: settings.phoneNumber,
    site: settings.site,
    tid: terminal?.tid ?? '',
    table: intent?.intent.details.tableName ?? null,
    handset: isAtTable ? (terminal?.name ?? null) : null,
    timeZone: await readTimeZoneOfTerminal(tx, session.terminalId),
  };
}
