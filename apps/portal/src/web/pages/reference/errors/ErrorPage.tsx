import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { ErrorDetail, ErrorDetails } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceFile, useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { PlainText } from '../parts/PlainText.js';
import { UnknownPage } from '../parts/UnknownPage.js';
import { useAddressMember } from '../data/use-address-member.js';
import classes from './errors.module.css';

/** A reason: what it means, what helps, and which operations can answer it. */
export function ErrorPage(): ReactNode {
  const reason = useAddressMember('reason');
  const query = useReferenceFile<ErrorDetails>(useReferenceIndex().errorsFile);
  return (
    <QueryBoundary query={query}>
      {(details) => {
        const detail = Object.hasOwn(details, reason) ? details[reason] : undefined;
        return detail === undefined ? <UnknownPage /> : <ErrorView reason={reason} detail={detail} />;
      }}
    </QueryBoundary>
  );
}

/** A longer list is folded, because it consists of nearly all operations. */
const LISTED_MAX = 15;

function ErrorView({ reason, detail }: { reason: string; detail: ErrorDetail }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const index = useReferenceIndex();
  const own = index.operations.filter(({ id }) => detail.operations.includes(id));
  const guide = index.guides.find(({ id }) => id === 'handle-errors');
  return (
    <article className={classes['error']}>
      <PageHeader title={reason} />
      <p lang="en" className={classes['status']}>
        {detail.status} {detail.title}
      </p>
      <h2>{text('meaning')}</h2>
      <PlainText text={detail.meaning} />
      <h2>{text('whatToDo')}</h2>
      <PlainText text={detail.action} />
      <h2>{text('mayRepeat')}</h2>
      <PlainText text={detail.repeat} />
      {guide !== undefined && (
        <p>
          <ReferenceLink to={`/reference/guides/${guide.id}`}>
            <span lang="en">{guide.title}</span>
          </ReferenceLink>
        </p>
      )}
      <details open={own.length <= LISTED_MAX}>
        <summary>{text('operationsOf', { count: String(own.length) })}</summary>
        <ul>
          {own.map(({ id, summary }) => (
            <li key={id}>
              <ReferenceLink to={`/reference/operations/${id}`}>
                <span lang="en">{summary}</span>
              </ReferenceLink>
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
