import { Badge, Button, type Tone } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readSetupIntent } from '@pos/rest-contracts/setup-intents';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { SetupIntentAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { SETUP_INTENTS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { BackLink } from '../../components/BackLink.js';
import { Card, Facts } from '../../components/Card.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { formatCard } from '../payments/card-text.js';
import { GiveUpDialog } from './GiveUpDialog.js';
import { SETUP_MESSAGES } from './setup-messages.js';
import { SetupLink } from './SetupLink.js';
import classes from './setup-intents.module.css';

/** No event says that a payer has entered a card. */
const REFRESH_MS = 5_000;
const TONES = {
  Created: 'progress',
  Authorized: 'positive',
  Expired: 'neutral',
  CardExpired: 'attention',
  Canceled: 'neutral',
  Completed: 'positive',
  Closed: 'neutral',
} as const satisfies Record<SetupIntentAnswer['status'], Tone>;

/** One setup intent: its link while it waits for a card, its attempts, and what was agreed. */
export function SetupIntentPage(): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [SETUP_INTENTS, id],
    queryFn: ({ signal }) => callOperation(readSetupIntent, { params: { setupIntentId: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'Created' ? REFRESH_MS : false),
  });
  return (
    <>
      <BackLink to="/setup-intents">{text('back')}</BackLink>
      <QueryBoundary query={query}>{(setup) => <Setup setup={setup} />}</QueryBoundary>
    </>
  );
}

function Setup({ setup }: { setup: SetupIntentAnswer }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const [isGivingUp, setGivingUp] = useState(false);
  const mayWrite = usePermission('setup.write');
  const { id, status, reference, setupLink } = setup;
  return (
    <>
      <PageHeader title={reference}>
        {mayWrite && (status === 'Created' || status === 'Authorized') && (
          <Button onClick={() => setGivingUp(true)}>{text('giveUp')}</Button>
        )}
      </PageHeader>
      <div className={classes['columns']}>
        <div className={classes['parts']}>
          {setupLink !== undefined && (
            <Card title={text('createdTitle')}>
              <SetupLink id={id} link={setupLink} />
            </Card>
          )}
          <Attempts setup={setup} />
        </div>
        <SetupFacts setup={setup} />
      </div>
      {isGivingUp && <GiveUpDialog setup={setup} onClose={() => setGivingUp(false)} />}
    </>
  );
}

function Attempts({ setup: { setupEvents } }: { setup: SetupIntentAnswer }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const language = useLanguage();
  if (setupEvents.length === 0) {
    return (
      <Card title={text('attempts')}>
        <p className={classes['hint']}>{text('noAttempts')}</p>
      </Card>
    );
  }
  const columns = ['when', 'attempt', 'answer'] as const;
  return (
    <DataTable label={text('attempts')} columns={columns.map((name) => ({ name: text(name) }))}>
      {setupEvents.map(({ transactionDateTime, eventType, authCode }, place) => (
        <tr key={place}>
          <td>{formatMoment(transactionDateTime, language)}</td>
          <td>
            <code>{eventType}</code>
          </td>
          <td>{authCode === '' ? '–' : authCode}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function SetupFacts({ setup }: { setup: SetupIntentAnswer }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const language = useLanguage();
  const { id, status, intendedAmount, terms, paymentDetails, customer, createdAt, updatedAt, expireAt } = setup;
  const card = paymentDetails?.card;
  const facts: (readonly [string, ReactNode])[] = [
    [text('status'), <Badge tone={TONES[status]}>{text(status)}</Badge>],
    ...(card === undefined ? [] : [[text('card'), formatCard(card)] as const]),
    [text('amount'), intendedAmount === undefined ? text('unlimited') : formatMoney(intendedAmount, language)],
    [text('reason'), text(setup.merchantInitiatedTransactionType)],
    [text('terms'), <span className={classes['wrapped']}>{terms}</span>],
    ...(customer?.emailAddress === undefined ? [] : [[text('payer'), customer.emailAddress] as const]),
    [text('created'), formatMoment(createdAt, language)],
    [text('updated'), formatMoment(updatedAt, language)],
    ...(status === 'Created' ? [[text('expires'), formatMoment(expireAt, language)] as const] : []),
    [text('id'), <code>{id}</code>],
  ];
  return (
    <Card title={text('details')}>
      <Facts facts={facts} />
    </Card>
  );
}
