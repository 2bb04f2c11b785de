import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { PaymentFilter } from './pages/payments/payment-filter.js';
import { createReferenceRoutes } from './pages/reference/reference-routes.js';
import { Shell } from './shell/Shell.js';

const rootRoute = createRootRoute({ component: Shell });

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
    path: '/developers/api-keys',
    component: lazyRouteComponent(() => import('./pages/developers/ApiKeysPage.js'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/webhooks',
    component: lazyRouteComponent(() => import('./pages/developers/WebhooksPage.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/developers/webhooks/$id',
    component: lazyRouteComponent(() => import('./pages/developers/WebhookPage.js'), 'WebhookPage'),
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
    path: '/operations',
    component: lazyRouteComponent(() => import('./pages/operations/OperationsPage.js'), 'OperationsPage'),
  }),
  createReferenceRoutes(rootRoute),
];

/** Each page is a file of its own, which is loaded when it is opened. */
export function createPortalRouter() {
  return createRouter({ routeTree: rootRoute.addChildren(routes), defaultPreload: 'intent' });
}
