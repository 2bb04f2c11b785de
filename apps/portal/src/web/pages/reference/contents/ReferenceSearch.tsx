import { useMessages } from '@pos/web-ui/messages';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { ReferenceIndex } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { listSearchEntries, type SearchEntry, searchEntries } from '../data/search-entries.js';
import classes from './reference-search.module.css';

/** Finds operations, events, guides and errors while the reader types. Enter opens the first of them. */
export function ReferenceSearch({ index }: { index: ReferenceIndex }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const entries = useMemo(() => listSearchEntries(index), [index]);
  const results = searchEntries(entries, query);
  const open = (entry: SearchEntry | undefined): void => {
    if (entry === undefined) return;
    const [to = '', hash] = entry.to.split('#', 2);
    setQuery('');
    void navigate({ to, search: (previous: object) => previous, ...(hash !== undefined && { hash }) });
  };
  return (
    <form
      role="search"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault();
        open(results[0]);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setQuery('');
      }}
    >
      <input
        type="search"
        className={classes['input']}
        aria-label={text('search')}
        placeholder={text('searchHint')}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <p role="status" className={results.length === 0 && query.trim() !== '' ? classes['none'] : 'visually-hidden'}>
        {query.trim() === ''
          ? ''
          : results.length === 0
            ? text('noResults', { query })
            : `${text('results')}: ${results.length}`}
      </p>
      {results.length > 0 && (
        <ul className={classes['results']} aria-label={text('results')} onClick={() => setQuery('')}>
          {results.map((entry) => (
            <li key={entry.to}>
              <ReferenceLink to={entry.to} className={classes['result']}>
                <span className={classes['kind']}>{text(entry.kind)}</span>
                <span lang="en" className={classes['title']}>
                  {entry.title}
                </span>
                <span lang="en" className={classes['detail']}>
                  {entry.detail}
                </span>
              </ReferenceLink>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
