import { useMessages } from '@pos/web-ui/messages';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { Guide, GuideEntry } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceFile, useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { UnknownPage } from '../parts/UnknownPage.js';
import { useAddressMember } from '../data/use-address-member.js';
import { Markdown } from './Markdown.js';
import classes from './markdown.module.css';

/** A page of the documentation. It is in English on every page. */
export function GuidePage(): ReactNode {
  const id = useAddressMember('guide');
  const { guides } = useReferenceIndex();
  const entry = guides.find((guide) => guide.id === id) ?? null;
  const query = useReferenceFile<Guide>(entry?.file ?? null);
  if (entry === null) return <UnknownPage />;
  return <QueryBoundary query={query}>{(guide) => <GuideView guide={guide} entry={entry} />}</QueryBoundary>;
}

function GuideView({ guide, entry }: { guide: Guide; entry: GuideEntry }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  // The router scrolls when it opens a page, which is before its text is loaded.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash, guide]);
  return (
    <article className={classes['guide']}>
      <div lang="en">
        <PageHeader title={guide.title} />
      </div>
      {entry.headings.length > 1 && (
        <nav className={classes['headings']} aria-label={text('onThisPage')}>
          <ul lang="en">
            {entry.headings.map(({ id, title }) => (
              <li key={id}>
                <ReferenceLink to={`/reference/guides/${guide.id}#${id}`}>{title}</ReferenceLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div lang="en" className={classes['text']}>
        <Markdown nodes={guide.content} />
      </div>
    </article>
  );
}
