import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { MachineScreenView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../messages/machine-messages.js';
import { useAccounts } from '../restaurant/use-account.js';
import { useLiveState } from '../restaurant/use-live-state.js';
import { DeviceFrame } from './device/device-frame.js';
import { KeypadProvider } from './device/keypad-keys.js';
import { FaultSwitches } from './fault-switches.js';
import { MachineClient } from './state/machine-client.js';
import { MachineDisplay } from './machine-display.js';
import { listEnded } from './state/payment-outcome.js';
import { ServiceLog } from './service-log.js';
import { useMachineFlow } from './state/use-machine-flow.js';
import { Wallet } from './wallet.js';
import { WalletCardFace, type WalletCardName } from './wallet-card.js';
import classes from './machine-page.module.css';

interface MachinePageProps {
  readonly tid: string;
  readonly accountId: string | null;
  readonly paysNext: boolean;
}

/** A card machine that a person operates. */
export function MachinePage({ tid, accountId, paysNext }: MachinePageProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const accounts = useAccounts();
  useEffect(() => {
    document.title = t('title', { tid });
  }, [t, tid]);
  if (accounts === null) return <p className={classes['message']}>{t('loading')}</p>;
  const account = accounts.find((each) => accountId === null || each.accountId === accountId);
  if (account?.machines.includes(tid) !== true) {
    return (
      <main className={classes['message']}>
        <h1>{t('unknownMachine')}</h1>
        <p>{t('unknownMachineHelp')}</p>
        <a href="/">{t('back')}</a>
      </main>
    );
  }
  return <ConnectedMachine key={account.accountId} tid={tid} accountId={account.accountId} paysNext={paysNext} />;
}

function ConnectedMachine({
  tid,
  accountId,
  paysNext,
}: {
  tid: string;
  accountId: string;
  paysNext: boolean;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const client = useMemo(() => new MachineClient(accountId, tid), [accountId, tid]);
  const { state: view, isOpen } = useLiveState<MachineScreenView>(client.eventsPath);
  if (view === null) return <p className={classes['message']}>{t('loading')}</p>;
  return (
    <KeypadProvider>
      <MachineWorkplace {...{ view, client, isOpen, paysNext }} />
    </KeypadProvider>
  );
}

interface WorkplaceProps {
  readonly view: MachineScreenView;
  readonly client: MachineClient;
  readonly isOpen: boolean;
  readonly paysNext: boolean;
}

/** The machine between what the person holds and what the service sees. */
function MachineWorkplace({ view, client, isOpen, paysNext }: WorkplaceProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const flow = useMachineFlow(client, { paysNext });
  // What ended before the page was opened is not shown.
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(() => new Set(listEnded(view)));
  const [card, setCard] = useState<WalletCardName | null>(null);
  const stage = view.session?.stage;
  const isRequested = stage === 'card';
  const isCardOut = stage === undefined || stage === 'card' || stage === 'confirmation';
  const isSliding = !isCardOut && card !== null && stage !== 'signature';
  const needsKeys = stage === 'pin' || (stage === undefined && ['amount', 'split'].includes(flow.step.at));
  const present = (chosen: WalletCardName): void => {
    setCard(chosen);
    flow.run(() => client.tap({ kind: 'presentCard', card: chosen }));
  };
  const canCancel = view.payment === undefined && (stage === 'card' || stage === 'confirmation');
  return (
    <main className={classes['page']} data-requested={isRequested || undefined}>
      <header className={classes['header']}>
        <a href="/">{t('back')}</a>
        <span>{t('title', { tid: view.tid })}</span>
        <span className={classes['live']} data-off={!isOpen || undefined}>
          {t(isOpen ? 'live' : 'reconnecting')}
        </span>
      </header>
      <div className={classes['left']}>
        <ServiceLog
          session={view.serviceSession}
          onCancel={canCancel ? () => flow.run(() => client.cancelPayment()) : null}
        />
        <FaultSwitches switches={view.switches} onChange={(to) => flow.run(() => client.setSwitches(to))} />
      </div>
      <div className={classes['middle']}>
        <DeviceFrame
          label={t('title', { tid: view.tid })}
          card={isSliding ? <WalletCardFace card={card} /> : null}
          isCardInserted={isSliding}
          needsKeys={needsKeys}
        >
          <MachineDisplay
            {...{ view, client, flow, dismissed }}
            onDismiss={(ids) => setDismissed((before) => new Set([...before, ...ids]))}
          />
        </DeviceFrame>
      </div>
      <div className={classes['right']}>
        <Wallet
          isRequested={isRequested}
          onPresent={present}
          onTrouble={(trouble) => flow.run(() => client.tap({ kind: 'causeTrouble', trouble }))}
        />
      </div>
    </main>
  );
}
