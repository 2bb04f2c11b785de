import { Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listAdministeredAuditLog } from '@pos/rest-contracts/portal';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { AuditEntryAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { AuditFilter } from './audit-filter.js';
import { AUDIT_MESSAGES } from './audit-messages.js';
import { AuditFilters } from './AuditFilters.js';
import { Owner } from '../Owner.js';
import { useAccounts } from '../TargetChoice.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const PAGE_SIZE = 50;

/** What operators have changed, over all accounts. */
export function AuditLogPage(): ReactNode {
  const text = useMessages(AUDIT_MESSAGES);
  const navigate = useNavigate();
  const filter = AuditFilter.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'audit-log', filter],
    queryFn: ({ signal }) =>
      callOperation(listAdministeredAuditLog, { query: AuditFilter.toQuery(filter, PAGE_SIZE), signal }),
    placeholderData: keepPreviousData,
  });
  const show = (search: AuditFilter): void => void navigate({ to: '/operations/audit-log', search });
  const { after: position, ...kept } = filter;
  return (
    <>
      <PageHeader title={text('auditLog')} intro={text('intro')} />
      <AuditFilters key={filter.actor ?? ''} filter={kept} onChange={show} />
      <QueryBoundary query={query} rows={10}>
        {({ entries, after }) => (
          <>
            {entries.length === 0 ? (
              <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
            ) : (
              <Entries entries={entries} />
            )}
            <nav className={classes['pages']} aria-label={text('auditLog')}>
              <Button disabled={position === undefined} onClick={() => show(kept)}>
                {text('newest')}
              </Button>
              <Button disabled={after === undefined} onClick={() => after !== undefined && show({ ...kept, after })}>
                {text('older')}
              </Button>
            </nav>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Entries({ entries }: { entries: readonly AuditEntryAnswer[] }): ReactNode {
  const text = useMessages(AUDIT_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const language = useLanguage();
  const { data: accounts } = useAccounts();
  const findName = (id: string): string => accounts?.find((each) => each.id === id)?.tradingName ?? id;
  const names = [...[text('when'), text('actor'), text('action'), shared('account'), text('why')], text('change')];
  return (
    <DataTable label={text('auditLog')} columns={names.map((name) => ({ name }))}>
      {entries.map(
        ({
          id,
          createdAt,
          actor,
          actorEmail,
          operatingSystemUser,
          action,
          accountId,
          environment,
          subject,
          reason,
          ...states
        }) => (
          <tr key={id}>
            <td>{formatMoment(createdAt, language)}</td>
            <td title={operatingSystemUser}>{actorEmail ?? actor}</td>
            <td>
              <span className={classes['owner']}>
                <span>{action}</span>
                <code className={classes['minor']} title={subject}>
                  {subject}
                </code>
              </span>
            </td>
            <td>
              {accountId === undefined ? (
                shared('service')
              ) : (
                <Owner owner={{ accountId, environment, tradingName: findName(accountId) }} />
              )}
            </td>
            <td className={classes['words']}>{reason}</td>
            <td className={classes['words']}>
              <Change {...states} />
            </td>
          </tr>
        ),
      )}
    </DataTable>
  );
}

function Change({ before, after }: Pick<AuditEntryAnswer, 'before' | 'after'>): ReactNode {
  const text = useMessages(AUDIT_MESSAGES);
  if (before === undefined && after === undefined) return '–';
  return (
    <details>
      <summary>{text('showChange')}</summary>
      <dl className={classes['states']}>
        {before !== undefined && <State name={text('before')} state={before} />}
        {after !== undefined && <State name={text('after')} state={after} />}
      </dl>
    </details>
  );
}

function State({ name, state }: { name: string; state: Readonly<Record<string, unknown>> }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{JSON.stringify(state)}</code>
      </dd>
    </div>
  );
}
