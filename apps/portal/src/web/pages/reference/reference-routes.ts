import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The pages of the reference. They are readable without a session, and the address names the release. */
export function createReferenceRoutes(rootRoute: AnyRoute): AnyRoute {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: '/reference',
    validateSearch: ({ release }: Record<string, unknown>): { release?: string } =>
      typeof release === 'string' ? { release } : {},
    component: lazyRouteComponent(() => import('./contents/ReferenceLayout.js'), 'ReferenceLayout'),
  });
  return layout.addChildren([
    createRoute({
      getParentRoute: () => layout,
      path: '/',
      component: lazyRouteComponent(() => import('./contents/ReferenceHome.js'), 'ReferenceHome'),
    }),
    createRoute({
      getParentRoute: () => layout,
      path: '/operations/$operationId',
      component: lazyRouteComponent(() => import('./operations/OperationPage.js'), 'OperationPage'),
    }),
    createRoute({
      getParentRoute: () => layout,
      path: '/events/$kind',
      component: lazyRouteComponent(() => import('./operations/EventPage.js'), 'EventPage'),
    }),
    createRoute({
      getParentRoute: () => layout,
      path: '/guides/$guide',
      component: lazyRouteComponent(() => import('./guides/GuidePage.js'), 'GuidePage'),
    }),
    createRoute({
      getParentRoute: () => layout,
      path: '/errors',
      component: lazyRouteComponent(() => import('./errors/ErrorsPage.js'), 'ErrorsPage'),
    }),
    createRoute({
      getParentRoute: () => layout,
      path: '/errors/$reason',
      component: lazyRouteComponent(() => import('./errors/ErrorPage.js'), 'ErrorPage'),
    }),
  ]);
}
