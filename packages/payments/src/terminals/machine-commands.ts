import type { CardDetails } from '@pos/core/cards';
import type { TerminalId, TerminalSessionId } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import { isSessionFinal, type SessionParts, type SessionType, type TerminalSession } from '@pos/core/terminals';
import { getAccountTime } from '@pos/store/clock';
import type { Reader } from '@pos/store/database';
import { getAccount } from '@pos/store/repositories';
import { findIntent } from '@pos/store/payments';
import { findTerminalSession, listRunningSessions, listUnresolvedExpiredSessions } from '@pos/store/terminals';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** A current order to a machine. Each order may be sent again: a start is run once, the others are harmless. */
export type MachineCommand = { readonly sessionId: TerminalSessionId } & (
  | ({ readonly kind: 'start' } & MachineStartCommand)
  | { readonly kind: 'cancel' }
  | { readonly kind: 'signature'; readonly accepted: boolean }
  | { readonly kind: 'stop' }
);

export interface MachineStartCommand {
  readonly acquirerReference: string;
  readonly originalAcquirerReference: string | null;
  readonly sessionType: SessionType;
  readonly parts: SessionParts;
  readonly total: Money;
  readonly capture: boolean;
  readonly cardHolderNotPresent: boolean;
  readonly secondsLeft: number;
  /** For staff: the payment's reference. */
  readonly reference: string;
  /** The card of the payment that is refunded; null for other sessions, and if it is not known. */
  readonly originalCard: CardDetails | null;
  /** The machine must not refund to another card. */
  readonly refuseOtherCard: boolean;
}

/** The gateway's connected machines: its terminals, and the sessions that they report as running. */
export interface ConnectedMachines {
  readonly terminalIds: readonly TerminalId[];
  readonly sessionIds: readonly TerminalSessionId[];
}

/**
 * The current orders for these machines, from the rows; hints only say when to read them. The end of a machine's session
 * comes before the start of its next one. A machine whose session has expired is ordered to end and to report its end,
 * until it or the acquirer has, also if it never confirmed the session.
 */
export async function listMachineCommands(
  reader: Reader,
  { terminalIds, sessionIds }: ConnectedMachines,
  settings: Pick<PaymentSettings, 'windows'>,
): Promise<{ readonly terminalId: TerminalId; readonly command: MachineCommand }[]> {
  const [running, unresolved] =
    terminalIds.length === 0
      ? [[], []]
      : await Promise.all([
          listRunningSessions(reader, terminalIds),
          listUnresolvedExpiredSessions(reader, terminalIds),
        ]);
  // A machine that never received the start does not report its session: open sessions are found by the terminal.
  const ended: TerminalSession[] = [];
  for (const id of sessionIds) {
    if ([...running, ...unresolved].some((session) => session.id === id)) continue;
    const session = await findTerminalSession(reader, id);
    if (session !== null) ended.push(session);
  }
  const commands: { terminalId: TerminalId; command: MachineCommand }[] = unresolved.map(
    ({ id: sessionId, terminalId }) => ({
      terminalId,
      command: { kind: 'cancel', sessionId },
    }),
  );
  // A machine that still waits for the end of its last session refuses the start of the next one.
  for (const session of [...ended, ...running]) {
    for (const command of await listSessionCommands(reader, session, settings)) {
      commands.push({ terminalId: session.terminalId, command });
    }
  }
  return commands;
}

async function listSessionCommands(
  reader: Reader,
  session: TerminalSession,
  settings: Pick<PaymentSettings, 'windows'>,
): Promise<MachineCommand[]> {
  const { id: sessionId, status, signatureDecision } = session;
  if (status === 'InitiateRequested') return [await buildStartCommand(reader, session, settings)];
  if (status === 'CancelRequested') return [{ kind: 'cancel', sessionId }];
  if (!isSessionFinal(status)) return [];
  const signatureCommands: MachineCommand[] =
    signatureDecision === null ? [] : [{ kind: 'signature', sessionId, accepted: signatureDecision === 'Accepted' }];
  return [...signatureCommands, { kind: 'stop', sessionId }];
}

async function buildStartCommand(
  reader: Reader,
  session: TerminalSession,
  { windows }: Pick<PaymentSettings, 'windows'>,
): Promise<MachineCommand> {
  const { id: sessionId, acquirerReference, sessionType, parts, total, capture, cardHolderNotPresent } = session;
  const intent = session.paymentIntentId === null ? null : await findIntent(reader, session.paymentIntentId);
  const elapsedMs = (await getAccountTime(reader)).getTime() - session.createdAt.getTime();
  return {
    kind: 'start',
    sessionId,
    acquirerReference,
    originalAcquirerReference: sessionType === 'MatchedRefund' ? (intent?.paymentDetails?.reference ?? null) : null,
    sessionType,
    parts,
    total,
    capture,
    cardHolderNotPresent,
    secondsLeft: Math.max(1, Math.ceil((windows[reader.scope.environment].cardMs - elapsedMs) / 1000)),
    reference: intent?.reference ?? session.id,
    originalCard: sessionType === 'MatchedRefund' ? (intent?.paymentDetails?.card ?? null) : null,
    refuseOtherCard: sessionType === 'MatchedRefund' && (await refusesOtherCards(reader)),
  };
}

async function refusesOtherCards(reader: Reader): Promise<boolean> {
  return (await getAccount(reader)).settings.refusesRefundsToOtherCards;
}
