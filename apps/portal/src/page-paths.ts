/** Every address of a page, in the router's spelling; the pages of `src/web` have a route for each. */
export const PAGE_PATHS = [
  '/',
  '/payments',
  '/payments/:id',
  '/payment-links',
  '/developers/api-keys',
  '/developers/webhooks',
  '/developers/webhooks/:id',
  '/developers/test-clock',
  '/restaurant',
  '/operations',
  '/reference',
  '/reference/operations/:operationId',
  '/reference/events/:kind',
  '/reference/guides/:guide',
  '/reference/errors',
  '/reference/errors/:reason',
] as const;
