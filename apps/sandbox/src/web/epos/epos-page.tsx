import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import {
  addEposCourse,
  type EposScreenView,
  readEposScreen,
  setEposSwitches,
  type EposSwitches,
} from '@pos/rest-contracts/sandbox';
import { buildAddress } from '@pos/rest-contracts/operation';
import { EPOS_MESSAGES } from '../messages/epos-messages.js';
import { callSandbox, SandboxError } from '../restaurant/sandbox-request.js';
import { SwitchList } from '../restaurant/switch-list.js';
import { useAccounts } from '../restaurant/use-account.js';
import { useLiveState } from '../restaurant/use-live-state.js';
import { PartyBill } from './party-bill.js';
import { RecordedPayments } from './recorded-payments.js';
import { TableMap } from './table-map.js';
import classes from './epos-page.module.css';

const SWITCH_NAMES = ['isDown', 'isSlow', 'refuses', 'losesReply'] as const;

/** The restaurant's own EPOS, as its staff use it. */
export function EposPage({ accountId }: { accountId: string | null }): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const accounts = useAccounts();
  if (accounts === null) return <p className={classes['message']}>{t('loading')}</p>;
  const account = accounts.find((each) => accountId === null || each.accountId === accountId);
  if (account?.eposUsername === undefined) {
    return (
      <main className={classes['message']}>
        <h1>{t('noEpos')}</h1>
        <a href="/">{t('back')}</a>
      </main>
    );
  }
  return <Kitchen accountId={account.accountId} />;
}

function Kitchen({ accountId }: { accountId: string }): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const { state: view, isOpen } = useLiveState<EposScreenView>(
    `${buildAddress(readEposScreen, { params: { accountId } })}/events`,
  );
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const name = view?.tradingName ?? '';
  useEffect(() => {
    document.title = t('title', { name });
  }, [t, name]);
  if (view === null) return <p className={classes['message']}>{t('loading')}</p>;
  const run = (work: () => Promise<unknown>): void => {
    setError(null);
    work().catch((reason: unknown) => setError(reason instanceof SandboxError ? reason.message : ''));
  };
  const chosen = view.parties.find(({ sessionId }) => sessionId === chosenId);
  const addDish = (plu: string): void => {
    if (chosen === undefined) return;
    const params = { accountId, sessionId: chosen.sessionId };
    run(() => callSandbox(addEposCourse, { params, body: { dishes: [plu] } }));
  };
  const setSwitches = (body: EposSwitches): void =>
    run(() => callSandbox(setEposSwitches, { params: { accountId }, body }));
  return (
    <main className={classes['page']}>
      <header className={classes['header']}>
        <a href="/">{t('back')}</a>
        <h1 className={classes['heading']}>{t('title', { name })}</h1>
        <span className={classes['live']} data-off={!isOpen || undefined}>
          {t(isOpen ? 'live' : 'reconnecting')}
        </span>
      </header>
      {error !== null && (
        <p className={classes['error']} role="alert">
          {error === '' ? t('failed') : error}
        </p>
      )}
      <div className={classes['column']}>
        <TableMap view={view} chosenId={chosenId} onChoose={setChosenId} />
      </div>
      <div className={classes['column']}>
        <PartyBill view={view} party={chosen} onAddDish={addDish} />
      </div>
      <div className={classes['column']}>
        <RecordedPayments view={view} />
        <SwitchList
          {...{ title: t('switches'), names: SWITCH_NAMES, switches: view.switches, onChange: setSwitches }}
          label={(each) => t(each)}
          help={(each) => t(`${each}Help`)}
        />
        <section className={classes['panel']}>
          <h2 className={classes['title']}>{t('calls')}</h2>
          {view.calls.length === 0 && <p className={classes['note']}>{t('noCalls')}</p>}
          <ol className={classes['calls']}>
            {view.calls.map(({ number, method, answered }) => (
              <li key={number} data-failed={answered !== 'ok' || undefined}>
                <span>{method}</span>
                <span>{answered}</span>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </main>
  );
}
