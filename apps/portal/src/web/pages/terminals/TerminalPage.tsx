import { Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readTerminal } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TERMINALS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { BackLink } from '../../components/BackLink.js';
import { Card, Facts } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { PairDialog } from './PairDialog.js';
import { TERMINAL_MESSAGES } from './terminal-messages.js';
import { TerminalSessions } from './TerminalSessions.js';
import { TerminalStatusBadge } from './TerminalStatusBadge.js';
import parts from '../../components/page-parts.module.css';
import classes from './terminals.module.css';

const REFRESH_MS = 5_000;

/** One card machine: its state, its sessions, and the pairing of another machine. */
export function TerminalPage(): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  const language = useLanguage();
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const mayPair = usePermission('tables.operate');
  const [isPairing, setPairing] = useState(false);
  const [isPaired, setPaired] = useState(false);
  const query = useQuery({
    queryKey: [TERMINALS, id],
    queryFn: ({ signal }) => callOperation(readTerminal, { params: { terminalId: id }, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <BackLink to="/restaurant/terminals">{text('back')}</BackLink>
      <QueryBoundary query={query}>
        {({ properties: { tid }, status, updatedAt }) => (
          <div className={parts['parts']}>
            <div>
              <PageHeader title={text('machine', { tid })}>
                {mayPair && <Button onClick={() => setPairing(true)}>{text('pair')}</Button>}
              </PageHeader>
              <p role="status" className={classes['note']}>
                {isPaired ? text('paired') : ''}
              </p>
            </div>
            <Card title={text('details')}>
              <Facts
                facts={[
                  [text('status'), <TerminalStatusBadge status={status} />],
                  [text('since'), formatMoment(updatedAt, language)],
                  [text('tid'), tid],
                  [text('id'), <code>{id}</code>],
                ]}
              />
            </Card>
            <TerminalSessions terminalId={id} />
            {isPairing && (
              <PairDialog
                terminalId={id}
                tid={tid}
                onPaired={() => setPaired(true)}
                onClose={() => setPairing(false)}
              />
            )}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
