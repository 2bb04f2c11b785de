import type { ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { MachineScreenView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../messages/machine-messages.js';
import classes from './service-log.module.css';

type ServiceSession = NonNullable<MachineScreenView['serviceSession']>;

/** The statuses and notifications of the session, in the order of the payments API, under their names there. */
export function ServiceLog({
  session,
  onCancel,
}: {
  session: ServiceSession | undefined;
  onCancel: (() => void) | null;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('service')}</h2>
      {session === undefined ? (
        <p className={classes['empty']}>{t('serviceEmpty')}</p>
      ) : (
        <ServiceEvents session={session} label={t('service')} />
      )}
      {onCancel !== null && (
        <button type="button" className={classes['cancel']} onClick={onCancel}>
          {t('counterCancel')}
        </button>
      )}
    </section>
  );
}

function ServiceEvents({ session, label }: { session: ServiceSession; label: string }): ReactNode {
  const events = [
    ...session.statuses.map(({ status, createdAt }) => ({ name: status, createdAt, isStatus: true })),
    ...session.notifications.map(({ notification, createdAt }) => ({ name: notification, createdAt, isStatus: false })),
  ].sort((left, right) => left.createdAt.localeCompare(right.createdAt));
  return (
    <>
      <code className={classes['id']}>{session.sessionId}</code>
      <div role="log" aria-label={label}>
        <ol className={classes['events']}>
          {events.map(({ name, createdAt, isStatus }, index) => (
            <li
              key={`${name} ${createdAt} ${index}`}
              data-kind={isStatus ? 'status' : 'notification'}
              className={isStatus ? classes['status'] : classes['notification']}
            >
              <span>{name}</span>
              <time dateTime={createdAt}>{createdAt.slice(11, 21)}</time>
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
