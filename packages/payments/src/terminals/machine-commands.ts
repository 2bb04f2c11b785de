import type { TerminalId, TerminalSessionId } from '@pos/core/identity/identity';
import type { Money } from '@pos/core/money/money';
import {
  isFinal,
  type SessionParts,
  type SessionType,
  type TerminalSession,
} from '@pos/core/terminals/terminal-session';
import { getAccountTime } from '@pos/store/clock/sandbox-clock';
import type { Reader } from '@pos/store/database/database';
import { findIntent } from '@pos/store/payments/payment-intents';
import {
  findTerminalSession,
  listRunningSessions,
  listUnresolvedExpiredSessions,
} from '@pos/store/terminals/terminal-sessions';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** What a machine is to be told now. Each order may be sent again: a start is run once, the others are harmless. */
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
}

/** Where the gateway's machines are: its terminals, and the sessions that they still believe to run. */
export interface ConnectedMachines {
  readonly terminalIds: readonly TerminalId[];
  readonly sessionIds: readonly TerminalSessionId[];
}

/**
 * The orders for these machines as the rows stand now; the truth behind every hint. A machine whose session has expired is
 * asked to end and to say how it ended, for as long as neither it nor the acquirer has, whether it ever confirmed it or not.
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
  // A machine that never got the start does not name its session: what is open on a terminal is found by the terminal.
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
  for (const session of [...running, ...ended]) {
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
  if (!isFinal(status)) return [];
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
  };
}
