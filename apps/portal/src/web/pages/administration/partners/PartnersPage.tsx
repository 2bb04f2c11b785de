import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listAdministeredPartners } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import parts from '../../../components/page-parts.module.css';
import type { PartnerAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { PARTNER_MESSAGES } from './partner-messages.js';
import { PartnerReport } from './PartnerReport.js';
import { PartnerStatusDialog, RegisterPartnerDialog } from './PartnerDialogs.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** The partners that production requests may name, and their turnover. */
export function PartnersPage(): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const [isRegistering, setRegistering] = useState(false);
  const [changing, setChanging] = useState<PartnerAnswer | null>(null);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'partners'],
    queryFn: ({ signal }) => callOperation(listAdministeredPartners, { signal }),
  });
  return (
    <>
      <PageHeader title={text('partners')} intro={text('intro')}>
        <Button kind="primary" onClick={() => setRegistering(true)}>
          {text('register')}
        </Button>
      </PageHeader>
      <div className={parts['parts']}>
        <QueryBoundary query={query}>
          {({ isEnforced, partners }) => (
            <section>
              <p className={classes['note']}>{text(isEnforced ? 'enforced' : 'notEnforced')}</p>
              {partners.length === 0 ? (
                <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
              ) : (
                <PartnerTable partners={partners} onChange={setChanging} />
              )}
            </section>
          )}
        </QueryBoundary>
        {/* The reason why both are refused is shown once. */}
        {!query.isError && <PartnerReport />}
      </div>
      {isRegistering && <RegisterPartnerDialog onClose={() => setRegistering(false)} />}
      {changing !== null && <PartnerStatusDialog partner={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

interface PartnerTableProps {
  readonly partners: readonly PartnerAnswer[];
  readonly onChange: (partner: PartnerAnswer) => void;
}

function PartnerTable({ partners, onChange }: PartnerTableProps): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const columns = (['name', 'kind', 'contact', 'status'] as const).map((name) => ({ name: text(name) }));
  return (
    <DataTable label={text('partners')} columns={columns} hasActions>
      {partners.map((partner) => {
        const { kind, id, name, contact, status } = partner;
        const change = status === 'Active' ? 'retire' : 'reactivate';
        return (
          <tr key={`${kind}/${id}`}>
            <td className={classes['words']}>
              <span className={classes['owner']}>
                <span>{name}</span>
                <span className={classes['minor']}>{id}</span>
              </span>
            </td>
            <td>{text(kind)}</td>
            <td className={classes['words']}>{contact ?? '–'}</td>
            <td>
              <Badge tone={status === 'Active' ? 'positive' : 'negative'}>{text(status)}</Badge>
            </td>
            <td>
              <Button kind="quiet" aria-label={text(`${change}Of`, { id })} onClick={() => onChange(partner)}>
                {text(change)}
              </Button>
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
