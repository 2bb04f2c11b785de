import type * as factors from '@pos/rest-contracts/portal';
import type { Endpoint } from './endpoint.js';

export const readSignInStep: Endpoint<typeof factors.readSignInStep> = {
  method: 'GET',
  path: '/portal/session/second-factor',
  isOwn: true,
};
export const createSignInOptions: Endpoint<typeof factors.createSignInOptions> = {
  method: 'POST',
  path: '/portal/session/second-factor/options',
  isOwn: true,
};
export const beginPasskeySignIn: Endpoint<typeof factors.beginPasskeySignIn> = {
  method: 'POST',
  path: '/portal/session/passkey',
  isOwn: true,
};
export const completeSignIn: Endpoint<typeof factors.completeSignIn> = {
  method: 'POST',
  path: '/portal/session/second-factor',
  isOwn: true,
};
export const createReauthenticationOptions: Endpoint<typeof factors.createReauthenticationOptions> = {
  method: 'POST',
  path: '/portal/session/reauthenticate/options',
  isOwn: true,
};
export const readSecondFactors: Endpoint<typeof factors.readSecondFactors> = {
  method: 'GET',
  path: '/portal/second-factors',
  isOwn: true,
};
export const beginPasskey: Endpoint<typeof factors.beginPasskey> = {
  method: 'POST',
  path: '/portal/second-factors/passkeys/options',
  isOwn: true,
};
export const addPasskey: Endpoint<typeof factors.addPasskey> = {
  method: 'POST',
  path: '/portal/second-factors/passkeys',
  isOwn: true,
};
export const removePasskey: Endpoint<typeof factors.removePasskey> = {
  method: 'DELETE',
  path: '/portal/second-factors/passkeys/{passkeyId}',
  isOwn: true,
};
export const beginOneTimeCodes: Endpoint<typeof factors.beginOneTimeCodes> = {
  method: 'POST',
  path: '/portal/second-factors/codes/secret',
  isOwn: true,
};
export const addOneTimeCodes: Endpoint<typeof factors.addOneTimeCodes> = {
  method: 'POST',
  path: '/portal/second-factors/codes',
  isOwn: true,
};
export const removeOneTimeCodes: Endpoint<typeof factors.removeOneTimeCodes> = {
  method: 'DELETE',
  path: '/portal/second-factors/codes',
  isOwn: true,
};
export const renewRecoveryCodes: Endpoint<typeof factors.renewRecoveryCodes> = {
  method: 'POST',
  path: '/portal/second-factors/recovery-codes',
  isOwn: true,
};
