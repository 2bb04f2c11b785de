import type { Operation } from '../operation/operation.js';
import type { ApiTitle } from '../openapi/openapi.js';
import { changePortalAccountSettings, readPortalAccountSettings } from './account-settings.js';
import { ADMINISTRATION_OPERATIONS } from './administration-operations.js';
import { OWN_USER_OPERATIONS } from './own-user.js';
import { PAYMENT_VIEW_OPERATIONS } from './payment-views.js';
import { readPortalOverview } from './portal-overview.js';
import { SECOND_FACTOR_OPERATIONS, SIGN_IN_STEP_OPERATIONS } from './second-factors.js';
import { SECOND_PERSON_OPERATIONS } from './second-person.js';
import { PORTAL_SIMULATOR_OPERATIONS } from './simulator.js';
import { readTestClock } from './test-clock.js';
import {
  choosePortalAccount,
  readPortalSession,
  readSignInOptions,
  reauthenticate,
  signIn,
  signOut,
  signOutEverywhere,
} from './portal-session.js';

/** What the portal serves beside the operations of the public API, which it forwards. */
export const PORTAL_OPERATIONS: readonly Operation[] = [
  readSignInOptions,
  signIn,
  readPortalSession,
  signOut,
  signOutEverywhere,
  choosePortalAccount,
  reauthenticate,
  ...SIGN_IN_STEP_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
  readPortalOverview,
  readTestClock,
  readPortalAccountSettings,
  changePortalAccountSettings,
  ...OWN_USER_OPERATIONS,
  ...PAYMENT_VIEW_OPERATIONS,
  ...SECOND_PERSON_OPERATIONS,
  ...PORTAL_SIMULATOR_OPERATIONS,
  ...ADMINISTRATION_OPERATIONS,
];

export const PORTAL_TITLE: ApiTitle = {
  title: 'Portal',
  description: 'For the pages of the portal. Programs use the Payments API.',
};
