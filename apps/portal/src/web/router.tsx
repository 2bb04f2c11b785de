import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { createElement } from 'react';
import { PageSearch } from './components/page-search.js';
import { AuditFilter } from './pages/administration/service/audit-filter.js';
import { TargetSearch } from './pages/administration/target.js';
import { BookingDay } from './pages/bookings/booking-day.js';
import { CustomerSearch } from './pages/customers/customer-search.js';
import { RequestFilter } from './pages/developers/requests/request-filter.js';
import { isGateClosed, SessionGate } from './pages/gate/SessionGate.js';
import { PaymentFilter } from './pages/payments/payment-filter.js';
import { createReferenceRoutes } from './pages/reference/reference-routes.js';
import { Shell } from './shell/Shell.js';

const gate = { isClosed: isGateClosed, Page: SessionGate };
const rootRoute = createRootRoute({ component: () => createElement(Shell, { gate }) });

const routes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview/OverviewPage.js'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/payments',
    validateSearch: (search) => PaymentFilter.parse(search),
    component: lazyRouteComponent(() => import('./pages/payments/PaymentsPage.js'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/payments/$id',
    component: lazyRouteComponent(() => import('./pages/payments/PaymentPage.js'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/payment-links',
    component: lazyRouteComponent(() => import('./pages/payment-links/PaymentLinksPage.js'), 'PaymentLinksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/bookings',
    validateSearch: (search) => BookingDay.parse(search),
    component: lazyRouteComponent(() => import('./pages/bookings/BookingsPage.js'), 'BookingsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/customers',
    validateSearch: (search) => CustomerSearch.parse(search),
    component: lazyRouteComponent(() => import('./pages/customers/CustomersPage.js'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/customers/$id',
    component: lazyRouteComponent(() => import('./pages/customers/CustomerPage.js'), 'CustomerPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup-intents',
    component: lazyRouteComponent(() => import('./pages/setup-intents/SetupIntentsPage.js'), 'SetupIntentsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup-intents/$id',
    component: lazyRouteComponent(() => import('./pages/setup-intents/SetupIntentPage.js'), 'SetupIntentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/approvals',
    validateSearch: (search) => PageSearch.parse(search),
    component: lazyRouteComponent(() => import('./pages/second-person/SecondPersonPage.js'), 'SecondPersonPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/SettingsPage.js'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/profile',
    component: lazyRouteComponent(() => import('./pages/profile/ProfilePage.js'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/api-keys',
    component: lazyRouteComponent(() => import('./pages/developers/ApiKeysPage.js'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/webhooks',
    component: lazyRouteComponent(() => import('./pages/developers/webhooks/WebhooksPage.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/webhooks/$id',
    component: lazyRouteComponent(() => import('./pages/developers/webhooks/WebhookPage.js'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/webhooks/$id/deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./pages/developers/webhooks/DeliveryPage.js'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/event-catalogue',
    component: lazyRouteComponent(
      () => import('./pages/developers/webhooks/EventCataloguePage.js'),
      'EventCataloguePage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/requests',
    validateSearch: (search) => RequestFilter.parse(search),
    component: lazyRouteComponent(() => import('./pages/developers/requests/RequestLogPage.js'), 'RequestLogPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/requests/$traceId',
    component: lazyRouteComponent(() => import('./pages/developers/requests/RequestPage.js'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/simulator',
    component: lazyRouteComponent(() => import('./pages/developers/simulator/SimulatorPage.js'), 'SimulatorPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/test-clock',
    component: lazyRouteComponent(() => import('./pages/developers/TestClockPage.js'), 'TestClockPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant',
    component: lazyRouteComponent(() => import('./pages/restaurant/RestaurantPage.js'), 'RestaurantPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/epos',
    component: lazyRouteComponent(() => import('./pages/epos/EposPage.js'), 'EposPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/orders',
    validateSearch: (search) => PageSearch.parse(search),
    component: lazyRouteComponent(() => import('./pages/orders/OrdersPage.js'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/terminals',
    component: lazyRouteComponent(() => import('./pages/terminals/TerminalsPage.js'), 'TerminalsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/terminals/$id',
    validateSearch: (search) => PageSearch.parse(search),
    component: lazyRouteComponent(() => import('./pages/terminals/TerminalPage.js'), 'TerminalPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/tester-runs',
    validateSearch: (search) => PageSearch.parse(search),
    component: lazyRouteComponent(() => import('./pages/epos/TesterRunsPage.js'), 'TesterRunsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/restaurant/tester-runs/$id',
    component: lazyRouteComponent(() => import('./pages/epos/TesterRunPage.js'), 'TesterRunPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations',
    component: lazyRouteComponent(() => import('./pages/operations/OperationsPage.js'), 'OperationsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/accounts',
    component: lazyRouteComponent(() => import('./pages/administration/accounts/AccountsPage.js'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/accounts/$id',
    component: lazyRouteComponent(() => import('./pages/administration/accounts/AccountPage.js'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/audit-log',
    validateSearch: (search) => AuditFilter.parse(search),
    component: lazyRouteComponent(() => import('./pages/administration/service/AuditLogPage.js'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/dead-letters',
    validateSearch: (search) => TargetSearch.parse(search),
    component: lazyRouteComponent(
      () => import('./pages/administration/webhooks/DeadLettersPage.js'),
      'DeadLettersPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/differences',
    component: lazyRouteComponent(() => import('./pages/administration/money/DifferencesPage.js'), 'DifferencesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/partners',
    component: lazyRouteComponent(() => import('./pages/administration/partners/PartnersPage.js'), 'PartnersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/pending',
    component: lazyRouteComponent(() => import('./pages/administration/money/PendingPage.js'), 'PendingPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/settings',
    component: lazyRouteComponent(
      () => import('./pages/administration/service/AgreedSettingsPage.js'),
      'AgreedSettingsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/terminals',
    validateSearch: (search) => TargetSearch.parse(search),
    component: lazyRouteComponent(
      () => import('./pages/administration/terminals/TerminalsPage.js'),
      'AdministeredTerminalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operations/users',
    component: lazyRouteComponent(() => import('./pages/administration/users/UsersPage.js'), 'UsersPage'),
  }),
  createReferenceRoutes(rootRoute),
];

/** Each page is a file of its own, which is loaded when it is opened. */
export function createPortalRouter() {
  return createRouter({ routeTree: rootRoute.addChildren(routes), defaultPreload: 'intent' });
}
