// Signed tokens of the portal: for a user's API request, and for a link to the page of deliveries.
export { formatPortalToken, type PortalTokenSubject, verifyPortalToken } from './portal-token.js';
export { type DeliveryLinkSubject, formatDeliveryLinkToken, verifyDeliveryLinkToken } from './delivery-link-token.js';
