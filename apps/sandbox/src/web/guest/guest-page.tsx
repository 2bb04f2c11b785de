import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { buildAddress } from '@pos/rest-contracts/operation';
import {
  type BillPart,
  cancelGuestPayment,
  type GuestScreenView,
  readGuestScreen,
  startGuestPayment,
} from '@pos/rest-contracts/sandbox';
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
  const [isExpired, setExpired] = useState(false);
  useEffect(() => {
    // A stream that is refused does not say why; the request does.
    callSandbox(readGuestScreen, { params: { token } }).catch((error: unknown) =>
      setExpired(error instanceof SandboxError && error.message !== ''),
    );
  }, [token]);
  if (isExpired) {
    return (
      <main className={classes['message']}>
        <h1>{t('expired')}</h1>
        <p>{t('expiredHelp')}</p>
      </main>
    );
  }
  return <GuestTable token={token} />;
}

function GuestTable({ token }: { token: string }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const { state: view } = useLiveState<GuestScreenView>(
    `${buildAddress(readGuestScreen, { params: { token } })}/events`,
  );
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
    run(() => callSandbox(startGuestPayment, { params: { token }, body: { part, gratuity } }));
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
          {...{ payment, token }}
          onCancel={() => run(() => callSandbox(cancelGuestPayment, { params: { token } }))}
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
