import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { readTesterRun } from '@pos/rest-contracts/operators';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { BackLink } from '../../components/BackLink.js';
import { Card, Facts } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import classes from './epos.module.css';
import { RunStatusBadge } from './RunStatusBadge.js';
import { TESTER_MESSAGES } from './tester-messages.js';

type Run = ReturnsOf<typeof readTesterRun>;
type Step = Run['steps'][number];

const REFRESH_MS = 1_000;

/** One run of the EPOS tester: its verdict, and its steps with those that failed opened. */
export function TesterRunPage(): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [EPOS, 'runs', id],
    queryFn: ({ signal }) => callOperation(readTesterRun, { params: { runId: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'IN_PROGRESS' ? REFRESH_MS : false),
  });
  return (
    <>
      <BackLink to="/restaurant/tester-runs">{text('back')}</BackLink>
      <QueryBoundary query={query} rows={8}>
        {(run) => (
          <>
            <PageHeader title={run.flowName} />
            <p className={classes['verdict']}>
              <RunStatusBadge status={run.status} /> <Verdict run={run} />
            </p>
            <div className={classes['columns']}>
              <Report steps={run.steps} />
              <RunFacts run={run} />
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Verdict({ run: { status, steps } }: { run: Run }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const failed = steps.find(isFailed);
  if (failed !== undefined) return text('failedText', { step: failed.name });
  return text(status === 'IN_PROGRESS' ? 'runningText' : 'passedText', { count: steps.length });
}

function Report({ steps }: { steps: readonly Step[] }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  return (
    <Card title={text('report')}>
      <ol className={classes['steps']}>
        {steps.map((step, place) => (
          <li key={place} className={classes['step']}>
            <strong>{step.name}</strong>
            <RunStatusBadge status={step.status} />
            <Lines step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Lines({ step }: { step: Step }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const { additionalInformation: lines } = step;
  if (lines.length === 0) return isFailed(step) ? <p className={classes['muted']}>{text('noLines')}</p> : null;
  return (
    <details open={isFailed(step)}>
      <summary>{text('lines', { count: lines.length })}</summary>
      <pre className={classes['lines']} tabIndex={0}>
        {lines.join('\n')}
      </pre>
    </details>
  );
}

function RunFacts({ run }: { run: Run }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const language = useLanguage();
  const { flowID, startedAt, finishedAt, steps } = run;
  return (
    <Card title={text('details')}>
      <Facts
        facts={[
          [text('started'), formatMoment(startedAt, language)],
          [text('finished'), finishedAt === undefined ? '–' : formatMoment(finishedAt, language)],
          [text('steps'), steps.length],
          [text('id'), <code>{flowID}</code>],
        ]}
      />
    </Card>
  );
}

function isFailed({ status }: Step): boolean {
  return status === 'FAILURE' || status === 'TIMED_OUT';
}
