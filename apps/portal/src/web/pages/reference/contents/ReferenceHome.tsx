import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import type { GuideSection } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import classes from './reference-layout.module.css';

const SECTIONS: readonly GuideSection[] = ['start', 'payments', 'restaurant', 'tools', 'lists'];

/** The first page: the guides by what their readers want to do, and all tags. */
export function ReferenceHome(): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const { guides, operations, events, errors } = useReferenceIndex();
  const language = useLanguage();
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <>
      <PageHeader
        title={text('reference')}
        intro={`${text('referenceText')} ${language === 'en' ? '' : text('englishOnly')}`.trim()}
      />
      <div className={classes['cards']}>
        {SECTIONS.map((section) => (
          <section key={section} className={classes['card']}>
            <h2>{text(section)}</h2>
            <ul>
              {guides
                .filter((guide) => guide.section === section)
                .map(({ id, title }) => (
                  <li key={id}>
                    <ReferenceLink to={`/reference/guides/${id}`}>
                      <span lang="en">{title}</span>
                    </ReferenceLink>
                  </li>
                ))}
              {section === 'lists' && (
                <li>
                  <ReferenceLink to="/reference/errors">
                    {text('errors')} ({errors.length})
                  </ReferenceLink>
                </li>
              )}
            </ul>
          </section>
        ))}
        <section className={classes['card']}>
          <h2>{text('operations')}</h2>
          <ul>
            {tags.map((tag) => {
              const own = operations.filter((operation) => operation.tag === tag);
              return (
                <li key={tag}>
                  <ReferenceLink to={`/reference/operations/${own[0]?.id ?? ''}`}>
                    <span lang="en">{tag}</span> ({own.length})
                  </ReferenceLink>
                </li>
              );
            })}
          </ul>
        </section>
        <section className={classes['card']}>
          <h2>{text('events')}</h2>
          <ul>
            {events.map(({ kind }) => (
              <li key={kind}>
                <ReferenceLink to={`/reference/events/${kind}`}>
                  <code>{kind}</code>
                </ReferenceLink>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}
