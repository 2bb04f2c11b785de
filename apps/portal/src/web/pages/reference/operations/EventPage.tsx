import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { ReferenceEvent } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceFile, useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { UnknownPage } from '../parts/UnknownPage.js';
import { useAddressMember } from '../data/use-address-member.js';
import { CodeBlock } from '../parts/CodeBlock.js';
import classes from './operation-page.module.css';
import { Parameters } from './OperationParts.js';
import { SchemaMembers } from './SchemaMembers.js';

/** An event that the service sends to subscriptions: its headers and its body. */
export function EventPage(): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const kind = useAddressMember('kind');
  const { events, guides } = useReferenceIndex();
  const entry = events.find((event) => event.kind === kind) ?? null;
  const query = useReferenceFile<ReferenceEvent>(entry?.file ?? null);
  if (entry === null) return <UnknownPage />;
  const related = guides.filter(({ id }) => id === 'verify-webhook-signatures' || id === 'webhook-events');
  return (
    <QueryBoundary query={query}>
      {({ headers, schema, schemas, example }) => (
        <article className={classes['operation']}>
          <PageHeader title={kind} />
          <p>{text('eventText')}</p>
          <ul>
            {related.map(({ id, title }) => (
              <li key={id}>
                <ReferenceLink to={`/reference/guides/${id}`}>
                  <span lang="en">{title}</span>
                </ReferenceLink>
              </li>
            ))}
          </ul>
          {example !== null && (
            <section>
              <h2>{text('example')}</h2>
              <CodeBlock code={JSON.stringify(example, null, 2)} label={text('example')} />
            </section>
          )}
          <section>
            <h2>{text('body')}</h2>
            <SchemaMembers schema={schema} schemas={schemas} />
          </section>
          <Parameters parameters={headers} schemas={schemas} title={text('sentHeaders')} />
        </article>
      )}
    </QueryBoundary>
  );
}
