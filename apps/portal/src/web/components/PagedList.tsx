import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageTurner } from './PageTurner.js';
import { QueryBoundary } from './QueryBoundary.js';
import type { PageSearch } from './page-search.js';

interface ListPage<Element> {
  readonly data: readonly Element[];
  readonly before: string | null;
  readonly after: string | null;
}

interface PagedListProps<Element> {
  readonly query: UseQueryResult<ListPage<Element>>;
  readonly rows: number;
  /** What the pages list, for screen readers. */
  readonly label: string;
  /** What is shown when the list is empty. */
  readonly empty: ReactNode;
  readonly onTurn: (cursor: PageSearch) => void;
  readonly children: (elements: readonly Element[]) => ReactNode;
}

/** A page of a list with its faces: loading, refused, empty and full; and the way to the other pages. */
export function PagedList<Element>(props: PagedListProps<Element>): ReactNode {
  const { query, rows, label, empty, onTurn, children } = props;
  return (
    <QueryBoundary query={query} rows={rows}>
      {({ data, before, after }) =>
        data.length === 0 ? (
          empty
        ) : (
          <>
            {children(data)}
            <PageTurner label={label} page={{ before, after }} onTurn={onTurn} />
          </>
        )
      }
    </QueryBoundary>
  );
}
