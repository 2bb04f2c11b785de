/** Where browsers of the portal receive what has changed, as server-sent events. */
export const PORTAL_EVENTS_PATH = '/portal/events';

/** The data of one event: what has changed, without its content. */
export interface PortalEvent {
  readonly kind: string;
  readonly id: string;
}

/** Where the portal forwards operations of the public API. */
export const PORTAL_API_PATH = '/portal/api';

/** The account and environment that a page shows, as `acc_…/sandbox`. A request for another one is refused. */
export const PORTAL_ACCOUNT_HEADER = 'portal-account';

/**
 * Set to `true` on what a page requests by itself, without input of its user: such a request does not keep the session
 * alive.
 */
export const PORTAL_BACKGROUND_HEADER = 'portal-background';

/** Set to `sandbox` on what a reader of the reference tries: such a request is refused outside of sandboxes. */
export const PORTAL_TRIAL_HEADER = 'portal-trial';
