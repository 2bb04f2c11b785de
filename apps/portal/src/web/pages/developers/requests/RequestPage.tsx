import { Badge, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listRequests } from '@pos/rest-contracts/activities';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RequestAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { REQUESTS } from '../../../client/queries.js';
import { BackLink } from '../../../components/BackLink.js';
import { Card, Facts } from '../../../components/Card.js';
import { OUTCOME_TONES } from '../../../components/outcome-tones.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { RecordedBody } from '../../../components/RecordedBody.js';
import { KeyName } from './KeyName.js';
import { REQUEST_MESSAGES } from './request-messages.js';
import layout from './requests.module.css';

const LIMIT = 20;
/** Requests are in the log within a second. */
const MISSING_REFRESH_MS = 1_500;

/** The request of a trace, with what was sent and answered as far as the log records it. */
export function RequestPage(): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const { traceId = '' }: { readonly traceId?: string } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [REQUESTS, 'trace', traceId],
    queryFn: ({ signal }) => callOperation(listRequests, { query: { traceId, limit: LIMIT }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? MISSING_REFRESH_MS : false),
  });
  return (
    <>
      <BackLink to="/developers/requests">{text('back')}</BackLink>
      <QueryBoundary query={query} rows={8}>
        {({ data }) => (
          <>
            <PageHeader title={data[0]?.name ?? text('trace')} />
            {data.length === 0 && <EmptyState title={text('unknownTitle')}>{text('unknownText')}</EmptyState>}
            <div className={layout['stack']}>
              {data.map((request) => (
                <Request key={request.id} request={request} />
              ))}
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Request({ request: { request, answer, ...shown } }: { request: RequestAnswer }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  return (
    <div className={layout['columns']}>
      <div className={layout['stack']}>
        <Card title={text('request')}>
          {request === undefined && <p className={layout['none']}>{text('noBody')}</p>}
          <RecordedBody title={`${shown.method ?? ''} ${shown.path ?? ''}`} value={request} isOpen />
        </Card>
        <Card title={text('answer')}>
          {answer === undefined && <p className={layout['none']}>{text('noAnswer')}</p>}
          <RecordedBody title={String(shown.status ?? '')} value={answer} isOpen />
        </Card>
      </div>
      <RequestFacts request={shown} />
    </div>
  );
}

function RequestFacts({ request }: { request: RequestAnswer }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const language = useLanguage();
  const { at, outcome, status, reason, tookMs = 0, method, path, hasIdempotencyKey, traceId, subjectId } = request;
  return (
    <Card title={text('outcome')}>
      <Facts
        facts={[
          [
            text('outcome'),
            <Badge key="outcome" tone={OUTCOME_TONES[outcome]}>
              {text(outcome)}
            </Badge>,
          ],
          [text('status'), status ?? '–'],
          ...(reason === undefined ? [] : [[text('reason'), <code key="reason">{reason}</code>] as const]),
          [text('at'), formatMoment(at, language)],
          [text('took'), text('ms', { ms: tookMs })],
          ...(path === undefined ? [] : [[text('path'), <code key="path">{`${method ?? ''} ${path}`}</code>] as const]),
          [text('idempotency'), text(hasIdempotencyKey === true ? 'yes' : 'no')],
          [text('key'), request.keyId === undefined ? text('payer') : <KeyName key="key" keyId={request.keyId} />],
          [text('trace'), <code key="trace">{traceId}</code>],
          ...(subjectId === undefined ? [] : [[text('subject'), <Subject key="subject" id={subjectId} />] as const]),
        ]}
      />
    </Card>
  );
}

function Subject({ id }: { id: string }): ReactNode {
  if (!id.startsWith('pi_')) return <code>{id}</code>;
  return (
    <Link to="/payments/$id" params={{ id }}>
      <code>{id}</code>
    </Link>
  );
}
