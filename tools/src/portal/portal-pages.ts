/** A page by its address, and the title that it has once its data is there. */
export type PortalPage = readonly [address: string, title: string];

/** The pages of an administrator of an account. */
export const ACCOUNT_PAGES: readonly PortalPage[] = [
  ['/', 'Overview'],
  ['/payments', 'Payments'],
  ['/payment-links', 'Payment links'],
  ['/bookings', 'Bookings'],
  ['/customers', 'Customers'],
  ['/setup-intents', 'Cards for later'],
  ['/approvals', 'Approvals'],
  ['/settings', 'Settings'],
  ['/profile', 'Your sign-in'],
  ['/developers/api-keys', 'API keys'],
  ['/developers/webhooks', 'Webhooks'],
  ['/developers/event-catalogue', 'Event catalogue'],
  ['/developers/requests', 'Request log'],
  ['/developers/simulator', 'Simulators'],
  ['/developers/test-clock', 'Test clock'],
  ['/restaurant', 'Tables and machines'],
  ['/operations', 'Operations'],
  ['/restaurant/epos', 'EPOS'],
  ['/restaurant/orders', 'Orders paid in advance'],
  ['/restaurant/terminals', 'Card machines'],
  ['/restaurant/tester-runs', 'EPOS tests'],
];

/** The pages that need no sign-in. */
export const REFERENCE_PAGES: readonly PortalPage[] = [
  ['/reference', 'Reference'],
  ['/reference/operations/createPaymentIntent', 'Create a payment intent'],
  ['/reference/guides/quickstart', 'Quickstart: first payments with curl'],
  ['/reference/errors', 'Error codes'],
];

/** The pages of operators, over all accounts. */
export const OPERATOR_PAGES: readonly PortalPage[] = [
  ['/operations/partners', 'Partners'],
  ['/operations/pending', 'Pending money'],
  ['/operations/differences', 'Differences'],
  ['/operations/dead-letters', 'Dead letters'],
  ['/operations/accounts', 'Accounts'],
  ['/operations/terminals', 'Terminals'],
  ['/operations/users', 'Portal users'],
  ['/operations/audit-log', 'Audit log'],
  ['/operations/settings', 'Agreed settings'],
];
