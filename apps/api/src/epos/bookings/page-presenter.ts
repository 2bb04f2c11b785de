import type { EposPage, EposPageRequest } from '@pos/core/bookings';

/** The page that a query asks for. */
export function readPage({ limit, before, after }: EposPageRequest): EposPageRequest {
  return { limit, before, after };
}

export function presentPage<T, Presented>(
  { elements, before, after, unreadableCount }: EposPage<T>,
  present: (element: T) => Presented,
) {
  return { data: elements.map(present), before, after, ...(unreadableCount > 0 && { unreadableCount }) };
}
