import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listSavedCards } from '@pos/rest-contracts/payment-intents';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SavedCardAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { CUSTOMERS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { CUSTOMER_MESSAGES } from './customer-messages.js';
import classes from './customers.module.css';
import { RemoveCardDialog } from './RemoveCardDialog.js';
import { formatExpiry, formatSavedCard } from './saved-card-text.js';

/** The cards that a customer has saved, newest first. */
export function SavedCards({ customerId }: { customerId: string }): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const mayRemove = usePermission('customers.write');
  const [removing, setRemoving] = useState<SavedCardAnswer | null>(null);
  const query = useQuery({
    queryKey: [CUSTOMERS, customerId, 'cards'],
    queryFn: ({ signal }) => callOperation(listSavedCards, { params: { customerId }, signal }),
  });
  return (
    <Card title={text('cards')}>
      <QueryBoundary query={query} rows={2}>
        {({ savedPaymentMethods }) =>
          savedPaymentMethods.length === 0 ? (
            <p className={classes['muted']}>{text('noCards')}</p>
          ) : (
            <ul className={classes['cards']} aria-label={text('cards')}>
              {savedPaymentMethods.map((card) => (
                <li key={card.id} className={classes['savedCard']}>
                  <div>
                    <span className={classes['number']}>{formatSavedCard(card)}</span>
                    <p className={classes['muted']}>
                      {text('validTo')} {formatExpiry(card)}
                    </p>
                  </div>
                  {mayRemove && (
                    <Button
                      aria-label={`${text('remove')}: ${formatSavedCard(card)}`}
                      onClick={() => setRemoving(card)}
                    >
                      {text('remove')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {removing !== null && (
        <RemoveCardDialog customerId={customerId} card={removing} onClose={() => setRemoving(null)} />
      )}
    </Card>
  );
}
