import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type * as rest from '@pos/rest-contracts/sandbox';
import type { BillPart } from '@pos/rest-contracts/sandbox';
import { GUEST_MESSAGES } from '../messages/guest-messages.js';
import { callSandbox, SandboxError } from '../restaurant/sandbox-request.js';
import { useLiveState } from '../restaurant/use-live-state.js';
import { GuestBill } from './guest-bill.js';
import { GuestPayment } from './guest-payment.js';
import { PartChoice } from './part-choice.js';
import classes from './guest-page.module.css';

/** The page of a payer at a table, on their own phone. */
export function GuestPage({ token }: { token: string }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const path = `/guests/${encodeURIComponent(token)}`;
  const [isExpired, setExpired] = useState(false);
  useEffect(() => {
    // A stream that is refused does not say why; the request does.
    callSandbox<typeof rest.readGuestScreen>({ method: 'GET', path: `${path}/screen` }).catch((error: unknown) =>
      setExpired(error instanceof SandboxError && error.message !== ''),
    );
  }, [path]);
  if (isExpired) {
    return (
      <main className={classes['message']}>
        <h1>{t('expired')}</h1>
        <p>{t('expiredHelp')}</p>
      </main>
    );
  }
  return <GuestTable path={path} />;
}

function GuestTable({ path }: { path: string }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const { state: view } = useLiveState<rest.GuestScreenView>(`${path}/screen/events`);
  const [dismissedId, setDismissedId] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const name = view?.tradingName ?? '';
  const table = view?.tableName ?? '';
  useEffect(() => {
    document.title = t('title', { name, table });
  }, [t, name, table]);
  if (view === null) return <p className={classes['message']}>{t('loading')}</p>;
  const run = (work: () => Promise<unknown>): void => {
    setError(null);
    work().catch((reason: unknown) => setError(reason instanceof SandboxError ? reason.message : ''));
  };
  const pay = (part: BillPart, gratuity: number): void =>
    run(() =>
      callSandbox<typeof rest.startGuestPayment>({
        method: 'POST',
        path: `${path}/payments`,
        body: { part, gratuity },
      }),
    );
  const payment = view.payment?.paymentId === dismissedId ? undefined : view.payment;
  return (
    <main className={classes['page']}>
      <header className={classes['header']}>
        <h1 className={classes['name']}>{name}</h1>
        <span className={classes['table']}>{t('table', { table })}</span>
      </header>
      {error !== null && (
        <p className={classes['error']} role="alert">
          {error === '' ? t('failed') : error}
        </p>
      )}
      {payment !== undefined && (
        <GuestPayment
          {...{ payment, path }}
          onCancel={() =>
            run(() => callSandbox<typeof rest.cancelGuestPayment>({ method: 'POST', path: `${path}/cancel` }))
          }
          onDismiss={() => setDismissedId(payment.paymentId)}
        />
      )}
      {view.bill === undefined ? (
        <p className={classes['note']}>{t('noBill')}</p>
      ) : (
        <>
          <GuestBill bill={view.bill} />
          {payment === undefined && view.bill.outstanding > 0 && <PartChoice bill={view.bill} onPay={pay} />}
        </>
      )}
    </main>
  );
}
