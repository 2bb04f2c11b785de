import { INDEXES } from 'virtual:reference-indexes';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { RequestProblem } from '../../../client/call-operation.js';
import type { ReferenceIndex } from './reference-data.js';

const REFERENCE = 'reference';
const [NEWEST = ''] = Object.keys(INDEXES);

/** The release that the address names; the newest one for another text. */
export function useRelease(): string {
  const search: { readonly release?: unknown } = useSearch({ strict: false });
  const { release } = search;
  return typeof release === 'string' && Object.hasOwn(INDEXES, release) ? release : NEWEST;
}

export function isNewest(release: string): boolean {
  return release === NEWEST;
}

/** The contents of the reference in a release. */
export function useReferenceIndexQuery(release: string): UseQueryResult<ReferenceIndex> {
  return useReferenceFile<ReferenceIndex>(INDEXES[release] ?? null);
}

/** A file of the reference by its address; null: there is none, and the query stays pending. It never changes. */
export function useReferenceFile<T>(address: string | null): UseQueryResult<T> {
  return useQuery({
    queryKey: [REFERENCE, address],
    enabled: address !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetch(address ?? '', { signal, credentials: 'same-origin' }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw createProblem(0);
      });
      if (!response.ok) throw createProblem(response.status);
      return (await response.json()) as T;
    },
  });
}

/** A file that a running portal no longer has, because a newer one replaced it, is as unreachable as the portal. */
function createProblem(status: number): RequestProblem {
  return new RequestProblem({ status, title: '', detail: '', reason: 'unreachable', errors: {}, traceId: '' });
}

const Index = createContext<ReferenceIndex | null>(null);
export const ReferenceIndexProvider = Index.Provider;

/** The contents that the layout has loaded. */
export function useReferenceIndex(): ReferenceIndex {
  const index = useContext(Index);
  if (index === null) throw new Error('the page is outside of the reference');
  return index;
}
