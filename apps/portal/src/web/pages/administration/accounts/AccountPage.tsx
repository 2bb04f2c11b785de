import { Badge, Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { changeAdministeredAccountStatus, readAdministeredAccount } from '@pos/rest-contracts/portal';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { BackLink } from '../../../components/BackLink.js';
import { Card, Facts } from '../../../components/Card.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { useAction } from '../../../components/use-action.js';
import { ACCOUNT_MESSAGES } from './account-messages.js';
import { AccountKeys } from './AccountKeys.js';
import { AccountLocations } from './AccountLocations.js';
import type { AccountDetailsAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import parts from '../../../components/page-parts.module.css';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import { Choice } from '../../../components/Choice.js';
import type { Target } from '../target.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** An account with its locations and keys. */
export function AccountPage(): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const [environment, setEnvironment] = useState<Target['environment']>('production');
  const target = { account: id, environment };
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'account', target],
    queryFn: ({ signal }) => callOperation(readAdministeredAccount, { query: target, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <BackLink to="/operations/accounts">{text('back')}</BackLink>
      <QueryBoundary query={query} rows={8}>
        {(details) => (
          <>
            <PageHeader title={details.account.tradingName}>
              <StatusButton account={details.account} />
            </PageHeader>
            <div className={parts['parts']}>
              <AccountFacts details={details} target={target} />
              <div className={classes['filters']}>
                <Choice
                  label={shared('environment')}
                  value={environment}
                  options={[
                    ['production', shared('production')],
                    ['sandbox', shared('sandbox')],
                  ]}
                  onChange={setEnvironment}
                />
              </div>
              <AccountKeys keys={details.keys} target={target} />
              <AccountLocations locations={details.locations} target={target} />
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function AccountFacts({ details, target }: { details: AccountDetailsAnswer; target: Target }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const language = useLanguage();
  const { account, terminalCount } = details;
  const { id, name, merchantId, currencies, status, statusReason, statusChangedAt, createdAt } = account;
  const change =
    statusChangedAt === undefined || statusReason === undefined
      ? null
      : text('since', { date: formatMoment(statusChangedAt, language), reason: statusReason });
  return (
    <Card title={text('facts')}>
      <Facts
        facts={[
          [text('id'), <code key="id">{id}</code>],
          [text('name'), name],
          [text('merchantId'), <code key="merchant">{merchantId}</code>],
          [text('currencies'), currencies.join(', ')],
          [
            text('status'),
            <span key="status">
              <Badge tone={status === 'Active' ? 'positive' : 'negative'}>{text(status)}</Badge> {change}
            </span>,
          ],
          [text('created'), formatMoment(createdAt, language)],
          [
            text('terminals'),
            <Link key="terminals" to="/operations/terminals" search={target}>
              {text('showTerminals', { count: terminalCount })}
            </Link>,
          ],
        ]}
      />
    </Card>
  );
}

function StatusButton({ account }: { account: AccountDetailsAnswer['account'] }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [isOpen, setOpen] = useState(false);
  const isActive = account.status === 'Active';
  const action = useAction(
    (reason: string) =>
      callOperation(changeAdministeredAccountStatus, {
        body: { account: account.id, status: isActive ? 'Disabled' : 'Active', reason },
      }),
    { refreshes: [[ADMINISTRATION]], onDone: () => setOpen(false) },
  );
  const label = text(isActive ? 'disable' : 'enable');
  return (
    <>
      <Button kind={isActive ? 'danger' : 'primary'} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ChangeDialog title={label} label={label} isDangerous={isActive} action={action} onClose={() => setOpen(false)}>
          <p>{text(isActive ? 'disableText' : 'enableText')}</p>
        </ChangeDialog>
      )}
    </>
  );
}
