// Checks of an HTTP request before its operation runs: route, headers, API key, body, idempotency key.
export {
  type ApiKeyHolder,
  type PortalTokenRequest,
  readRequestVersion,
  type RequestChecks,
  type StoredAnswer,
} from './request-admission.js';
export { indexResources } from './resource-index.js';
export { requireSingleHeaders } from './single-headers.js';
export { parseJson, readJsonBody } from './json-body.js';
export { defineMemberCheck, type MemberChecks } from './member-checks.js';
export { buildFingerprintInput, type Idempotency, splitFingerprintInput, toCanonicalJson } from './idempotency-key.js';
