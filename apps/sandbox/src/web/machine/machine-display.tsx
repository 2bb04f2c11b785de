import { lazy, Suspense, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { MachineScreenView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../messages/machine-messages.js';
import type { MachineClient } from './state/machine-client.js';
import { prepareFull } from './state/machine-flow.js';
import { findOutcome, isOver, listEnded } from './state/payment-outcome.js';
import { AmountScreen } from './screens/amount-screen.js';
import { BillScreen } from './screens/bill-screen.js';
import { IdleScreen } from './screens/idle-screen.js';
import { OutcomeScreen } from './screens/outcome-screen.js';
import { SessionScreen, WaitPrompt } from './screens/session-screen.js';
import { TablesScreen } from './screens/tables-screen.js';
import { TipScreen } from './screens/tip-screen.js';
import type { MachineFlow } from './state/use-machine-flow.js';
import classes from './machine-display.module.css';

// Screens that the first payment does not need are loaded with their first use.
const CodeScreen = lazy(async () => ({ default: (await import('./screens/code-screen.js')).CodeScreen }));
const ReceiptScreen = lazy(async () => ({ default: (await import('./screens/receipt-screen.js')).ReceiptScreen }));
const SignatureScreen = lazy(async () => ({
  default: (await import('./screens/signature-screen.js')).SignatureScreen,
}));
const SplitScreen = lazy(async () => ({ default: (await import('./screens/split-screen.js')).SplitScreen }));

interface MachineDisplayProps {
  readonly view: MachineScreenView;
  readonly client: MachineClient;
  readonly flow: MachineFlow;
  readonly dismissed: ReadonlySet<string>;
  readonly onDismiss: (ids: readonly string[]) => void;
}

/** What the machine displays now: a running payment, its outcome, or the step that the waiter has reached. */
export function MachineDisplay(props: MachineDisplayProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const { view, flow } = props;
  return (
    <>
      <StatusBar view={view} />
      {!view.isConnected && (
        <p className={classes['offline']} role="status">
          <strong>{t('noConnection')}</strong> {t('noConnectionHelp')}
        </p>
      )}
      {flow.error !== null && (
        <p className={classes['error']} role="alert">
          {flow.error === '' ? t('failed') : flow.error}
        </p>
      )}
      <Suspense fallback={null}>
        <CurrentScreen {...props} />
      </Suspense>
    </>
  );
}

function StatusBar({ view }: { view: MachineScreenView }): ReactNode {
  return (
    <div className={classes['bar']} aria-hidden="true">
      <span>{view.tradingName}</span>
      <span className={classes['signal']} data-off={!view.isConnected || undefined}>
        <i />
        <i />
        <i />
        <i />
      </span>
    </div>
  );
}

function CurrentScreen(props: MachineDisplayProps): ReactNode {
  const { view, client, flow, dismissed, onDismiss } = props;
  const { session, payment } = view;
  if (session?.stage === 'signature') {
    return <SignatureScreen onDecide={(isAccepted) => flow.run(() => client.decideSignature(isAccepted))} />;
  }
  if (session !== undefined) {
    return (
      <SessionScreen
        running={session}
        onCancel={() => flow.run(() => client.tap({ kind: 'cancel' }))}
        onPin={() => flow.run(() => client.tap({ kind: 'enterPin' }))}
        onRemove={() => flow.run(() => client.tap({ kind: 'removeCard' }))}
      />
    );
  }
  if (payment !== undefined && !isOver(payment)) return <PaymentProgress {...props} payment={payment} />;
  const outcome = findOutcome(view, dismissed);
  if (outcome !== null && flow.step.at !== 'receipt') {
    const dismiss = (): void => onDismiss(listEnded(view));
    const hasNextPart = (outcome.outstanding ?? 0) > 0 && flow.started !== null;
    return (
      <OutcomeScreen
        outcome={outcome}
        onReceipt={() => flow.goTo({ at: 'receipt' })}
        onDone={() => {
          dismiss();
          flow.goTo({ at: 'idle' });
        }}
        onNextPart={
          hasNextPart
            ? () => {
                dismiss();
                flow.payNextPart();
              }
            : null
        }
      />
    );
  }
  return <WaiterScreen {...props} />;
}

function PaymentProgress({
  payment,
  client,
  flow,
}: MachineDisplayProps & { payment: NonNullable<MachineScreenView['payment']> }): ReactNode {
  const cancel = (): void => flow.run(() => client.cancelPayment());
  switch (payment.state) {
    case 'waiting':
      return payment.detail === '' ? (
        <WaitPrompt titleKey="starting" />
      ) : (
        <WaitPrompt titleKey="waiting" helpKey="waitingHelp" onCancel={cancel} />
      );
    case 'approved':
    case 'recording':
      return <WaitPrompt titleKey="recording" />;
    case 'givingBack':
      return <WaitPrompt titleKey="givingBack" helpKey="givingBackHelp" />;
    case 'started':
    case 'recorded':
    case 'givenBack':
    case 'ended':
    case 'refused':
    case 'needsOperator':
      return <WaitPrompt titleKey={payment.terminalSessionStatus === undefined ? 'starting' : 'PleaseWait'} />;
  }
}

function WaiterScreen({ view, client, flow }: MachineDisplayProps): ReactNode {
  const { step, goTo } = flow;
  const back = (): void => goTo({ at: 'idle' });
  switch (step.at) {
    case 'idle':
      return (
        <IdleScreen
          {...{ tradingName: view.tradingName, isConnected: view.isConnected }}
          onTables={() => goTo({ at: 'tables' })}
          onAmount={(firstDigits) => goTo({ at: 'amount', firstDigits })}
        />
      );
    case 'loading':
      return <WaitPrompt titleKey="PleaseWait" />;
    case 'tables':
      return <TablesScreen client={client} onChoose={flow.openBill} onBack={back} onError={flow.fail} />;
    case 'bill':
      return (
        <BillScreen
          {...{ table: step.table, bill: step.bill }}
          onPayAll={() => goTo({ at: 'tip', prepared: prepareFull(step.table, step.bill) })}
          onSplit={() => goTo({ ...step, at: 'split' })}
          onShowCode={() => goTo({ ...step, at: 'code' })}
          onBack={() => goTo({ at: 'tables' })}
        />
      );
    case 'code':
      return (
        <CodeScreen
          {...{ client, sessionId: step.table.sessionId, onError: flow.fail }}
          onBack={() => flow.openBill(step.table)}
        />
      );
    case 'split':
      return (
        <SplitScreen
          bill={step.bill}
          onChoose={({ part, amount }) =>
            goTo({ at: 'tip', prepared: { table: step.table, part, amount, currency: step.bill.currency } })
          }
          onBack={() => goTo({ ...step, at: 'bill' })}
        />
      );
    case 'tip':
      return (
        <TipScreen
          {...{ amount: step.prepared.amount, currency: step.prepared.currency }}
          onChoose={(gratuity) => flow.pay(step.prepared, gratuity)}
          onBack={() => flow.openBill(step.prepared.table)}
        />
      );
    case 'amount':
      return (
        <AmountScreen
          {...{ currency: view.currency, firstDigits: step.firstDigits }}
          onCharge={(amount, kind) =>
            flow.run(async () => {
              await client.sell({ amount, kind });
              goTo({ at: 'idle' });
            })
          }
          onBack={back}
        />
      );
    case 'receipt':
      return <ReceiptScreen client={client} onBack={back} onError={flow.fail} />;
  }
}
