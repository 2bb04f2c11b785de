import type * as ownUser from '@pos/rest-contracts/portal';
import type { Endpoint } from './endpoint.js';

export const changePortalPassword: Endpoint<typeof ownUser.changePortalPassword> = {
  method: 'PUT',
  path: '/portal/session/password',
  isOwn: true,
};
export const listOwnSessions: Endpoint<typeof ownUser.listOwnSessions> = {
  method: 'GET',
  path: '/portal/sessions',
  isOwn: true,
};
export const endOwnSession: Endpoint<typeof ownUser.endOwnSession> = {
  method: 'DELETE',
  path: '/portal/sessions/{sessionId}',
  isOwn: true,
};
export const endOtherSessions: Endpoint<typeof ownUser.endOtherSessions> = {
  method: 'POST',
  path: '/portal/sessions/end-others',
  isOwn: true,
};
