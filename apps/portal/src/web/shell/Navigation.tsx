import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { signOut, signOutEverywhere } from '@pos/rest-contracts/portal';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../client/call-operation.js';
import { SESSION } from '../client/queries.js';
import { sessionQuery, useWorkingAccount } from '../client/session-query.js';
import { AccountSwitcher } from './AccountSwitcher.js';
import classes from './navigation.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';

/** The pages, the account, and the user. Below 900 px it is shown while the menu is open. */
export function Navigation({ isOpen }: { isOpen: boolean }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const client = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { permissions, environment, role } = useWorkingAccount();
  const ending = useMutation({
    mutationFn: (isEverywhere: boolean) =>
      isEverywhere ? callOperation(signOutEverywhere, {}) : callOperation(signOut, {}),
    // Only after the server has ended the session: a sign-in page would hide a session that continues.
    // The query of the session stays, because the shell observes it: it shows the sign-in once nobody is signed in.
    onSuccess: () => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
      client.setQueryData([SESSION], null);
    },
    // The session may have ended elsewhere.
    onError: () => client.invalidateQueries({ queryKey: [SESSION] }),
  });
  const isAllowed = (permission: (typeof permissions)[number]): boolean => permissions.includes(permission);
  return (
    <section
      id="navigation"
      aria-label={text('menu')}
      className={`${classes['side']} ${isOpen ? classes['open'] : ''}`}
    >
      <span className={classes['brand']}>{text('portal')}</span>
      <AccountSwitcher />
      <nav aria-label={text('navigation')} className={classes['pages']}>
        <PageLink to="/">{text('overview')}</PageLink>
        <PageLink to="/payments">{text('payments')}</PageLink>
        {isAllowed('payments.write') && <PageLink to="/payment-links">{text('paymentLinks')}</PageLink>}
        {isAllowed('customers.read') && <PageLink to="/customers">{text('customers')}</PageLink>}
        {isAllowed('setup.read') && <PageLink to="/setup-intents">{text('setupIntents')}</PageLink>}
        {isAllowed('payments.refund') && <PageLink to="/approvals">{text('secondPerson')}</PageLink>}
        {(role === 'admin' || role === 'operator') && <PageLink to="/settings">{text('settings')}</PageLink>}
        <h2 className={classes['group']}>{text('developers')}</h2>
        {isAllowed('tables.operate') && <PageLink to="/developers/api-keys">{text('apiKeys')}</PageLink>}
        <PageLink to="/developers/webhooks">{text('webhooks')}</PageLink>
        {isAllowed('activities.read') && <PageLink to="/developers/requests">{text('requests')}</PageLink>}
        <PageLink to="/reference">{text('reference')}</PageLink>
        {environment === 'sandbox' && isAllowed('payments.write') && (
          <PageLink to="/developers/test-clock">{text('testClock')}</PageLink>
        )}
        {environment === 'sandbox' && isAllowed('tester.run') && (
          <PageLink to="/developers/simulator">{text('simulators')}</PageLink>
        )}
        <h2 className={classes['group']}>{text('service')}</h2>
        <RestaurantPages />
        {isAllowed('tables.operate') && session?.user.isOperator !== true && (
          <PageLink to="/operations">{text('operations')}</PageLink>
        )}
        {session?.user.isOperator === true && <OperatorPages />}
      </nav>
      <div className={classes['user']}>
        <strong>{session?.user.name}</strong>
        <span className={classes['email']}>{session?.user.email}</span>
        {ending.isError && <SignOutFailed />}
        <PageLink to="/profile">{text('profile')}</PageLink>
        <div className={classes['exits']}>
          <Button kind="quiet" onClick={() => ending.mutate(false)}>
            {text('signOut')}
          </Button>
          <Button kind="quiet" onClick={() => ending.mutate(true)}>
            {text('signOutEverywhere')}
          </Button>
        </div>
      </div>
    </section>
  );
}

function SignOutFailed(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <p role="alert" className={classes['failed']}>
      {text('signOutFailed')}
    </p>
  );
}

/** The tables, card machines and EPOS of the account, as far as the role of the user permits. */
function RestaurantPages(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { permissions, environment } = useWorkingAccount();
  const isAllowed = (permission: (typeof permissions)[number]): boolean => permissions.includes(permission);
  return (
    <>
      {isAllowed('tables.operate') && <PageLink to="/restaurant">{text('tables')}</PageLink>}
      {isAllowed('bookings.read') && <PageLink to="/bookings">{text('bookings')}</PageLink>}
      {isAllowed('terminals.read') && <PageLink to="/restaurant/terminals">{text('cardMachines')}</PageLink>}
      <PageLink to="/restaurant/orders">{text('orders')}</PageLink>
      {isAllowed('epos.read') && <PageLink to="/restaurant/epos">{text('epos')}</PageLink>}
      {environment === 'sandbox' && isAllowed('tester.run') && (
        <PageLink to="/restaurant/tester-runs">{text('testerRuns')}</PageLink>
      )}
    </>
  );
}

/** Pages whose address is the beginning of another page's. */
const EXACT: ReadonlySet<string> = new Set(['/', '/restaurant']);

function PageLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <Link to={to} className={classes['link'] ?? ''} activeOptions={{ exact: EXACT.has(to), includeSearch: false }}>
      {children}
    </Link>
  );
}

const OPERATOR_PAGES = [
  ['pendingMoney', '/operations/pending'],
  ['differences', '/operations/differences'],
  ['deadLetters', '/operations/dead-letters'],
  ['accounts', '/operations/accounts'],
  ['terminals', '/operations/terminals'],
  ['portalUsers', '/operations/users'],
  ['partners', '/operations/partners'],
  ['auditLog', '/operations/audit-log'],
  ['agreedSettings', '/operations/settings'],
] as const;

/** What only operators of the service see: pages about all accounts. */
function OperatorPages(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <>
      <h2 className={classes['group']}>{text('allAccounts')}</h2>
      {OPERATOR_PAGES.map(([name, to]) => (
        <PageLink key={to} to={to}>
          {text(name)}
        </PageLink>
      ))}
    </>
  );
}
