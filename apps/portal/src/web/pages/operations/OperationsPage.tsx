import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import {
  listPendingPayments,
  listTableOperatorCalls,
  type PendingPayment,
  type TableOperatorCall,
} from '@pos/rest-contracts/operators';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PENDING } from '../../client/queries.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { useMoneyState } from '../../components/money-states.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { DecisionDialog } from './DecisionDialog.js';
import { OPERATIONS_MESSAGES } from './operations-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './operations.module.css';

const REFRESH_MS = 10_000;
const CALLS_SHOWN = 20;

/** What needs a decision, and what was decided. */
export function OperationsPage(): ReactNode {
  const text = useMessages(OPERATIONS_MESSAGES);
  const [deciding, setDeciding] = useState<Readonly<PendingPayment> | null>(null);
  const pending = useQuery({
    queryKey: [PENDING],
    queryFn: ({ signal }) => callOperation(listPendingPayments, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const calls = useQuery({
    queryKey: [PENDING, 'calls'],
    queryFn: ({ signal }) => callOperation(listTableOperatorCalls, { query: { limit: CALLS_SHOWN }, signal }),
  });
  return (
    <>
      <PageHeader title={text('operations')} />
      <div className={parts['parts']}>
        <section>
          <h2 className={parts['title']}>{text('pending')}</h2>
          <QueryBoundary query={pending}>
            {(payments) =>
              payments.length === 0 ? (
                <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
              ) : (
                <PendingTable payments={payments} onDecide={setDeciding} />
              )
            }
          </QueryBoundary>
        </section>
        <section>
          <h2 className={parts['title']}>{text('calls')}</h2>
          <QueryBoundary query={calls}>
            {({ data }) => (data.length === 0 ? <p>{text('noCalls')}</p> : <CallsTable calls={data} />)}
          </QueryBoundary>
        </section>
        {deciding !== null && <DecisionDialog payment={deciding} onClose={() => setDeciding(null)} />}
      </div>
    </>
  );
}

interface PendingTableProps {
  readonly payments: readonly Readonly<PendingPayment>[];
  readonly onDecide: (payment: Readonly<PendingPayment>) => void;
}

function PendingTable({ payments, onDecide }: PendingTableProps): ReactNode {
  const text = useMessages(OPERATIONS_MESSAGES);
  const nameState = useMoneyState();
  const language = useLanguage();
  const columns = ['amount', 'state', 'since', 'attempts', 'error'] as const;
  const isNumber = (name: (typeof columns)[number]): boolean => name === 'amount' || name === 'attempts';
  return (
    <DataTable
      label={text('pending')}
      columns={columns.map((name) => ({ name: text(name), isNumber: isNumber(name) }))}
      hasActions
    >
      {payments.map((payment) => (
        <tr key={payment.paymentId}>
          <NumberCell>{formatMoney(sumOf(payment), language)}</NumberCell>
          <td>
            <Badge tone={payment.alarm ? 'negative' : 'attention'}>{nameState(payment.state)}</Badge>
          </td>
          <td>{formatMoment(payment.since, language)}</td>
          <NumberCell>{payment.attempts}</NumberCell>
          <td className={classes['error']}>{payment.lastError ?? '–'}</td>
          <td>
            <Button kind="quiet" onClick={() => onDecide(payment)}>
              {text('decide')}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function sumOf({ baseAmount, gratuityAmount, cashbackAmount, currency }: Readonly<PendingPayment>) {
  return { value: baseAmount + gratuityAmount + cashbackAmount, currencyCode: currency };
}

function CallsTable({ calls }: { calls: readonly Readonly<TableOperatorCall>[] }): ReactNode {
  const text = useMessages(OPERATIONS_MESSAGES);
  const language = useLanguage();
  const columns = ['at', 'what', 'subject', 'note', 'outcome'] as const;
  return (
    <DataTable label={text('calls')} columns={columns.map((name) => ({ name: text(name) }))}>
      {calls.map(({ id, createdAt, action, subject, note, outcome }) => (
        <tr key={id}>
          <td>{formatMoment(createdAt, language)}</td>
          <td>{action}</td>
          <td>
            <code>{subject}</code>
          </td>
          <td className={classes['error']}>{note}</td>
          <td>
            <Badge tone={outcome === 'Done' ? 'positive' : 'negative'}>{text(outcome)}</Badge>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
