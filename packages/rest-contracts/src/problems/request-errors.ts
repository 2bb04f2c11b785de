import type { ErrorExplanation } from './error-explanation.js';
import { KEY_FORMS } from '../shapes/key-forms.js';

/** Errors that depend on the sender and the form of a request, not on the state of a payment. */
export const REQUEST_ERRORS = {
  path_unknown: {
    meaning: 'The service has no such path. A production key also gets this on paths of the sandbox.',
    action: 'Check the address, the letter case and the method against the OpenAPI document.',
  },
  method_not_allowed: {
    meaning: 'The path exists, and does not support this method.',
    action: 'Use one of the methods that the header `allow` lists.',
  },
  unauthenticated: {
    meaning: 'The API key or the customer secret is missing, unknown, deleted or expired.',
    action: `Send ${KEY_FORMS}. Read the key again from the portal; a deleted key stays deleted.`,
  },
  rate_limited: {
    meaning: 'The sender exceeded a limit of requests.',
    action: 'Wait for the number of seconds in the header `retry-after`, then repeat. Spread requests over time.',
  },
  version_invalid: {
    meaning: 'The header `version` is missing, is no date, or lies before the first release.',
    action: 'Send a date as yyyy-mm-dd, such as the date of the release that you were built for.',
  },
  permission_missing: {
    meaning: 'The key is valid, and lacks the permission that this operation needs.',
    action: 'Use a key with the permission that `detail` names, or create one in the portal.',
  },
  partner_header_invalid: {
    meaning: 'One or both of the headers `software-house-id` and `reseller-id` are missing, empty or too long.',
    action: 'Send both headers with every request about terminals and terminal sessions.',
  },
  partner_not_registered: {
    meaning:
      'A production request names a software house or a reseller that the operator of the service has not registered, or has retired; `errors` names the header. Nothing was done.',
    action:
      'Send the id under which the operator has registered you, exactly as it was registered, or ask the operator to register it. A retired partner may still read, cancel, capture and return payments that exist, and repeat requests that were begun before.',
  },
  media_type_unsupported: {
    meaning: 'The body is not `application/json` in UTF-8, or it is compressed.',
    action: 'Send `content-type: application/json` and an uncompressed body.',
  },
  body_too_large: {
    meaning: 'The body is larger than 1 MiB.',
    action: 'Send less: shorten `metadata`, texts and lists.',
  },
  body_malformed: {
    meaning:
      'The body is no JSON, is nested too deeply, holds text that cannot be stored, or broke off. Or a header was sent twice of which one value is read; `errors` names it.',
    action: 'Send one JSON document in UTF-8 without NUL characters, and each header once. `detail` names the error.',
  },
  idempotency_key_invalid: {
    meaning:
      'The idempotency key is missing where it is required (also for a party with a deposit), is not 1 to 100 visible ASCII characters, or two different keys were sent.',
    action: 'Send one key in the header `idempotencyKey` or `Idempotency-Key`; if both are sent, they must be equal.',
  },
  idempotency_key_reused: {
    meaning: 'The idempotency key was used before with another body.',
    action: 'Use a new key for a new operation. Repeat the same body to read the first answer again.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this idempotency key is still running.',
    action: 'Wait for the number of seconds in `retry-after`, then repeat the same request with the same key.',
  },
  validation_failed: {
    meaning: 'One or more members of the request cannot be accepted.',
    action: 'Read `errors`: it names every member at fault and why. Correct all of them and send the request again.',
  },
  service_unavailable: {
    meaning: 'The service or something it depends on is not available now. Nothing was done.',
    action: 'Repeat later, with the same idempotency key.',
  },
  commit_unknown: {
    meaning: 'The database did not confirm the change, so it is not known whether it was made.',
    action: 'Read the resource, or repeat the request with the same idempotency key; money never moves twice.',
  },
  acquirer_not_configured: {
    meaning: 'The acquirer of this account is not configured in this environment, so no money can move.',
    action: 'Ask the operator of the service to configure the acquirer.',
  },
  acquirer_lacks_capability: {
    meaning: 'The acquirer of this account cannot do this. Nothing was sent to it; `capability` names what it lacks.',
    action: 'Read `detail`: it names another way where there is one.',
  },
  acquirer_unanswered: {
    meaning: 'The acquirer did not answer in time. The operation continues in the background.',
    action: 'Read the resource later, or repeat with the same idempotency key. Do not send a new key.',
  },
  client_secret_missing: {
    meaning: 'The header `client-session-secret` is missing.',
    action: 'Send the one-time secret of the intent that is paid.',
  },
  client_secret_invalid: {
    meaning: 'The client session secret is unknown, was used, or is expired.',
    action: 'Ask your backend for a new secret: refresh the client session secret of the intent.',
  },
  page_origin_not_registered: {
    meaning: 'The account has not registered the origin of the page that wants to embed the card fields.',
    action: 'Register the origin (scheme, host and port) in the setting `embeddingOrigins` of the account.',
  },
  submissions_exhausted: {
    meaning: 'Too many cards were submitted for this intent within half an hour.',
    action: 'Wait, or create a new intent.',
  },
  payment_outcome_unknown: {
    meaning: 'The outcome of the payment is not known yet.',
    action: 'Read the intent until its status changes. Do not charge the payer again before that.',
  },
  attempt_not_found: {
    meaning: 'The intent has no such attempt that waits for a challenge.',
    action: 'Begin the payment again with a fresh client session secret.',
  },
  api_key_not_found: {
    meaning: 'The account has no API key with this id, or it was deleted.',
    action: 'List the keys of the account.',
  },
  api_keys_exhausted: {
    meaning: 'The account has as many API keys as it may have.',
    action: 'Delete a key that is not used.',
  },
  attestation_missing: {
    meaning: 'The account has no valid SAQ-D attestation, so it must not send card numbers.',
    action: 'Use the hosted payment page, or hand in the attestation.',
  },
  sign_in_refused: {
    meaning:
      'No user of the portal has this e-mail address and password, the user is disabled, or the sign-in is locked.',
    action:
      'Check both. A lock ends after 30 minutes. An operator can set a new password with `pos-admin portal-user reset-password`, and end a lock with `pos-admin portal-user unlock`.',
  },
  portal_session_missing: {
    meaning: 'Nobody is signed in to the portal: the session has ended, or was not used for too long.',
    action: 'Sign in to the portal again.',
  },
  password_change_needed: {
    meaning:
      'An operator has set the password of this user, or it is too old. It must be changed before anything else.',
    action: 'Change the password in the portal.',
  },
  password_locked: {
    meaning: 'The sessions of this user have entered ten wrong passwords.',
    action: 'Wait 30 minutes, or ask an operator for `pos-admin portal-user unlock`.',
  },
  reauthentication_needed: {
    meaning: 'The portal needs the password again, because the action creates a key or returns money.',
    action: 'Enter the password, then repeat the action within five minutes.',
  },
  cross_site_request: {
    meaning: 'A browser sent the request to the portal for a page of another origin, or did not say for which.',
    action: 'Use the portal itself. A program calls the API with a key.',
  },
  second_person_needed: {
    meaning:
      'The account requires that a second person approves what a user of the portal gives back. Nothing was done.',
    action: 'Ask somebody with your permission to approve the request on the page "Approvals" of the portal.',
  },
  second_person_refused: {
    meaning:
      'The requester of an action, or a user whom the requester has created or changed, wants to decide about it.',
    action: 'Ask another person.',
  },
  four_eyes_request_unknown: {
    meaning: 'The account has no such request for a second person.',
    action: 'Read the list of requests again.',
  },
  four_eyes_request_decided: {
    meaning: 'The request was decided already, or has waited too long.',
    action: 'Read the list of requests. If the action is still wanted, request it again.',
  },
  account_not_chosen: {
    meaning: 'The user of the portal has not chosen the account to work in.',
    action: 'Choose an account in the portal.',
  },
  sign_in_expired: {
    meaning: 'The sign-in to the portal that waits for a second factor has ended, or its ten minutes are over.',
    action: 'Begin the sign-in again.',
  },
  second_factor_refused: {
    meaning: 'The portal does not accept the passkey or the code: it is wrong, was used before, or came too late.',
    action: 'Use a passkey of this user, the next code of the app, or a recovery code that is not used.',
  },
  second_factor_missing: {
    meaning: 'The user of the portal has given no second factor, and the role or the account needs one.',
    action: 'Set up a passkey or one-time codes in the portal, under "Your sign-in".',
  },
  second_factor_required: {
    meaning: 'The last second factor of a user who needs one cannot be removed.',
    action: 'Add another passkey or one-time codes first.',
  },
  passkey_not_found: {
    meaning: 'The user of the portal has no such passkey.',
    action: 'Read the passkeys again.',
  },
  password_sign_in_off: {
    meaning: 'The operator of the portal has switched passwords off.',
    action: 'Sign in at the identity provider, or with a passkey. Confirm actions with a second factor or there.',
  },
  account_disabled: {
    meaning:
      'The operator of the service has disabled the account: the merchant takes no payments now. Nothing was done.',
    action: 'Show the payer that the merchant takes no payments now. What has begun is still finished.',
  },
  request_malformed: {
    meaning: 'The bytes that arrived are not an HTTP request.',
    action: 'Check the client or the proxy that wrote the request.',
  },
  request_timeout: {
    meaning: 'The request did not arrive completely in time. It was not processed.',
    action: 'Send it again over a new connection.',
  },
  header_fields_too_large: {
    meaning: 'The headers of the request together are larger than 16 KiB. It was not processed.',
    action: 'Send fewer or shorter headers and cookies.',
  },
  internal_error: {
    meaning: 'The service failed in a way that it did not foresee. The outcome may be unknown.',
    action: 'Read the resource, or repeat with the same idempotency key. Give `traceId` to support.',
  },
} as const satisfies Readonly<Record<string, ErrorExplanation>>;
