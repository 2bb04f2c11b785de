import { Badge, EmptyState, type Tone } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listOrderPlacements, type OrderPlacement } from '@pos/rest-contracts/orders';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { ORDERS } from '../../client/queries.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { PageSearch } from '../../components/page-search.js';
import { PagedList } from '../../components/PagedList.js';
import { useMoneyState } from '../../components/money-states.js';
import { ORDER_MESSAGES } from './order-messages.js';
import classes from './orders.module.css';

const PAGE_SIZE = 50;
/** No event says that an order moves on. */
const REFRESH_MS = 5_000;
const TONES = {
  Waiting: 'neutral',
  Held: 'progress',
  Placing: 'progress',
  PlaceUnknown: 'attention',
  Placed: 'progress',
  Completed: 'positive',
  Cancelling: 'attention',
  GivingBack: 'attention',
  GivenBack: 'neutral',
  Ended: 'neutral',
  NeedsOperator: 'negative',
} as const satisfies Record<OrderPlacement['status'], Tone>;

/** The orders that were submitted with their payment, newest first. */
export function OrdersPage(): ReactNode {
  const text = useMessages(ORDER_MESSAGES);
  const navigate = useNavigate();
  const cursor = PageSearch.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [ORDERS, cursor],
    queryFn: ({ signal }) => callOperation(listOrderPlacements, { query: { limit: PAGE_SIZE, ...cursor }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      <PagedList
        query={query}
        rows={8}
        label={text('title')}
        empty={
          <EmptyState
            title={text('noneTitle')}
            action={<Link to="/reference/operations/submitOrder">{text('showOperation')}</Link>}
          >
            {text('noneText')}
          </EmptyState>
        }
        onTurn={(search) => void navigate({ to: '/restaurant/orders', search })}
      >
        {(elements) => <OrderTable orders={elements} />}
      </PagedList>
    </>
  );
}

function OrderTable({ orders }: { orders: readonly Readonly<OrderPlacement>[] }): ReactNode {
  const text = useMessages(ORDER_MESSAGES);
  const nameState = useMoneyState();
  const language = useLanguage();
  const columns = [
    { name: text('amount'), isNumber: true },
    { name: text('status') },
    { name: text('order') },
    { name: text('created') },
    { name: text('error') },
  ];
  return (
    <DataTable label={text('title')} columns={columns}>
      {orders.map(({ id, paymentIntentId, totalAmount, status, orderId, createdAt, lastError, orderMayStand }) => (
        <tr key={id}>
          <NumberCell>
            <Link to="/payments/$id" params={{ id: paymentIntentId }}>
              {formatMoney(totalAmount, language)}
            </Link>
          </NumberCell>
          <td>
            <Badge tone={TONES[status]}>{nameState(status)}</Badge>
          </td>
          <td>{orderId === undefined ? '–' : <code>{orderId}</code>}</td>
          <td>{formatMoment(createdAt, language)}</td>
          <td className={classes['error']}>
            {orderMayStand && <p className={classes['warning']}>{text('mayStand')}</p>}
            {lastError ?? (orderMayStand ? '' : '–')}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
