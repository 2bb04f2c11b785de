import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { START_MESSAGES } from '../messages/start-messages.js';
import { createEposAddress, createMachineAddress } from '../restaurant/screen-address.js';
import { useAccounts, useLinks, useMachines, type SandboxAccount } from '../restaurant/use-account.js';
import { createGuestAddress } from './guest-link.js';
import classes from './start-page.module.css';

/** The machine of the first steps: it approves contactless cards. */
const FIRST_MACHINE = '90000001';

/** Where a person begins: a payment, and the screens of a restaurant. */
export function StartPage(): ReactNode {
  const t = useMessages(START_MESSAGES);
  const accounts = useAccounts();
  const [chosenId, setChosenId] = useState<string | null>(null);
  useEffect(() => {
    document.title = t('title');
  }, [t]);
  if (accounts === null) return <p className={classes['intro']}>{t('loading')}</p>;
  const chosen = accounts.find(({ accountId }) => accountId === chosenId) ?? accounts[0];
  return (
    <main className={classes['page']}>
      <header>
        <h1 className={classes['heading']}>{t('heading')}</h1>
        <p className={classes['intro']}>{t('intro')}</p>
      </header>
      {chosen === undefined ? (
        <section className={classes['panel']}>
          <h2>{t('empty')}</h2>
          <p className={classes['intro']}>{t('emptyHelp')}</p>
        </section>
      ) : (
        <>
          <Screens account={chosen} />
          <Restaurants accounts={accounts} chosen={chosen} onChoose={setChosenId} />
          <Machines account={chosen} />
          <DeveloperLinks />
        </>
      )}
    </main>
  );
}

function Screens({ account }: { account: SandboxAccount }): ReactNode {
  const t = useMessages(START_MESSAGES);
  const { accountId, tradingName } = account;
  return (
    <nav className={classes['screens']} aria-label={t('heading')}>
      <a
        className={`${classes['card']} ${classes['first']}`}
        href={createMachineAddress(FIRST_MACHINE, { accountId, paysNext: true })}
      >
        <Symbol path="M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM3 9.5h18M7 15h4" />
        <span className={classes['name']}>{t('payNow')}</span>
        <span className={classes['note']}>{t('payNowHelp', { name: tradingName })}</span>
      </a>
      <a className={classes['card']} href={createMachineAddress(FIRST_MACHINE, { accountId })}>
        <Symbol path="M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM9 6h6v4H9zM9.5 14h.01M12 14h.01M14.5 14h.01M9.5 17h.01M12 17h.01M14.5 17h.01" />
        <span className={classes['name']}>{t('waiter')}</span>
        <span className={classes['note']}>{t('waiterHelp')}</span>
      </a>
      <a className={classes['card']} href={createEposAddress(accountId)}>
        <Symbol path="M4 5h16v11H4zM9 20h6M12 16v4M8 9h8M8 12h5" />
        <span className={classes['name']}>{t('kitchen')}</span>
        <span className={classes['note']}>{t('kitchenHelp')}</span>
      </a>
      <GuestCard accountId={accountId} />
    </nav>
  );
}

/** Opens the page of a guest. Each click is a phone of its own, so the address is created then. */
function GuestCard({ accountId }: { accountId: string }): ReactNode {
  const t = useMessages(START_MESSAGES);
  const [isRefused, setIsRefused] = useState(false);
  const open = (): void => {
    createGuestAddress(accountId, FIRST_MACHINE).then(
      (path) => {
        if (path === null) setIsRefused(true);
        else window.location.assign(path);
      },
      () => setIsRefused(true),
    );
  };
  return (
    <button type="button" className={classes['card']} onClick={open}>
      <Symbol path="M8 2.5h8A1.5 1.5 0 0 1 17.5 4v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5zM10.5 18.5h3" />
      <span className={classes['name']}>{t('guest')}</span>
      <span className={classes['note']} role="status">
        {t(isRefused ? 'guestRefused' : 'guestHelp')}
      </span>
    </button>
  );
}

/** Where developers continue; absent where the sandbox runs without a portal. */
function DeveloperLinks(): ReactNode {
  const t = useMessages(START_MESSAGES);
  const { portal, reference } = useLinks();
  if (portal === undefined || reference === undefined) return null;
  return (
    <nav className={classes['panel']} aria-labelledby="develop">
      <h2 className={classes['title']} id="develop">
        {t('develop')}
      </h2>
      <div className={classes['choices']}>
        <a className={classes['choice']} href={portal}>
          {t('portal')}
          <small>{t('portalHelp')}</small>
        </a>
        <a className={classes['choice']} href={reference}>
          {t('reference')}
          <small>{t('referenceHelp')}</small>
        </a>
      </div>
    </nav>
  );
}

interface RestaurantsProps {
  readonly accounts: readonly SandboxAccount[];
  readonly chosen: SandboxAccount;
  readonly onChoose: (accountId: string) => void;
}

function Restaurants({ accounts, chosen, onChoose }: RestaurantsProps): ReactNode {
  const t = useMessages(START_MESSAGES);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('restaurants')}</h2>
      <p className={classes['note']}>{t('restaurantsHelp')}</p>
      <div className={classes['choices']}>
        {accounts.map(({ accountId, tradingName, isEposConnected }) => (
          <button
            key={accountId}
            type="button"
            className={classes['choice']}
            aria-pressed={accountId === chosen.accountId}
            onClick={() => onChoose(accountId)}
          >
            {tradingName}
            <small>{t(isEposConnected ? 'eposOnline' : 'eposDialled')}</small>
          </button>
        ))}
      </div>
    </section>
  );
}

function Machines({ account }: { account: SandboxAccount }): ReactNode {
  const t = useMessages(START_MESSAGES);
  const machines = useMachines(account.accountId);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('machines', { name: account.tradingName })}</h2>
      <p className={classes['note']}>{t('machineHelp')}</p>
      <ul className={classes['machines']}>
        {machines.map(({ tid, name }) => (
          <li key={tid}>
            <a href={createMachineAddress(tid, { accountId: account.accountId })}>
              {tid} <small>{name}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Symbol({ path }: { path: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      width="34"
      height="34"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
