import type { MachineScreenView, ReceiptView, TablePaymentView } from '@pos/rest-contracts/sandbox';
import type { ConnectedMachine } from '../machines/connected-machine.js';
import type { MachineScreen } from '../machines/machine-screen.js';
import type { CounterSaleSession } from './counter-sales-client.js';

/** All that the page of a machine shows. */
export function presentMachineScreen(
  connected: ConnectedMachine,
  more: {
    readonly account: { readonly tradingName: string; readonly currencyCode: string };
    readonly serviceSession: CounterSaleSession | null;
    readonly payment: TablePaymentView | null;
  },
): MachineScreenView {
  const { machine } = connected;
  const { faults } = machine.describe();
  const { session, lastOutcome } = machine.describeScreen();
  const { account, serviceSession, payment } = more;
  return {
    ...{ tid: machine.model.tid, name: machine.model.name },
    ...{ tradingName: account.tradingName, currency: account.currencyCode },
    isConnected: connected.isConnected(),
    switches: {
      isUnplugged: connected.isUnplugged,
      isSlow: (faults.slowByMs ?? 0) > 0,
      isBusy: machine.isInUse(),
      losesReply: faults.unplug?.when === 'after-approval',
    },
    ...(session !== null && { session: presentSession(session) }),
    ...(lastOutcome !== null && { lastOutcome: presentOutcome(lastOutcome) }),
    ...(serviceSession !== null && { serviceSession: presentServiceSession(serviceSession) }),
    ...(payment !== null && { payment }),
  };
}

function presentSession(session: NonNullable<MachineScreen['session']>): NonNullable<MachineScreenView['session']> {
  const { sessionId, sessionType, total, stage, shows } = session;
  return { sessionId, sessionType, total, stage, ...(shows !== null && { shows }) };
}

function presentOutcome(
  lastOutcome: NonNullable<MachineScreen['lastOutcome']>,
): NonNullable<MachineScreenView['lastOutcome']> {
  const { sessionId, total, outcome, maskedNumber, authCode } = lastOutcome;
  return {
    ...{ sessionId, total, outcome },
    ...(maskedNumber !== null && { maskedNumber }),
    ...(authCode !== null && { authCode }),
  };
}

function presentServiceSession(session: CounterSaleSession): NonNullable<MachineScreenView['serviceSession']> {
  const { id, status, statusEvents, notificationEvents } = session;
  return {
    ...{ sessionId: id, status },
    statuses: statusEvents.map((event) => ({ status: event.status, createdAt: event.createdAt })),
    notifications: notificationEvents.map(({ notificationType, createdAt }) => ({
      notification: notificationType,
      createdAt,
    })),
  };
}

type LineView = ReceiptView['lines'][number];
const ALIGNS = { AlignLeft: 'left', AlignCenter: 'center', AlignRight: 'right' } as const;

/** The receipt of a session of the payments API; the logo is left out. */
export function presentSessionReceipt({ lines }: NonNullable<CounterSaleSession['customerReceipt']>): ReceiptView {
  return {
    lines: lines.flatMap(({ lineType, text }): LineView[] => {
      switch (lineType) {
        case 'Text':
          return text === undefined
            ? []
            : [
                {
                  ...{ kind: 'text', text: text.value, align: ALIGNS[text.align] },
                  ...{ isLarge: text.size === 'SizeHeader1', isBold: text.emphasisBold },
                },
              ];
        case 'NewLine':
          return [{ kind: 'space' }];
        case 'SingleLineSeperator':
        case 'DoubleLineSeperator':
          return [{ kind: 'rule' }];
        case 'LogoImage':
          return [];
      }
    }),
  };
}
