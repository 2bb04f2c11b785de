/** Every address of a page, in the router's spelling; the pages of `src/web` have a route for each. */
export const PAGE_PATHS = [
  '/',
  '/payments',
  '/payments/:id',
  '/payment-links',
  '/developers/api-keys',
  '/developers/webhooks',
  '/developers/webhooks/:id',
  '/developers/webhooks/:id/deliveries/:deliveryId',
  '/developers/event-catalogue',
  '/developers/requests',
  '/developers/requests/:traceId',
  '/developers/test-clock',
  '/restaurant',
  '/operations',
] as const;
