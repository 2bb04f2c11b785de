// Customers of an account: their data, customer secrets and saved cards.
export { Customers, getCustomer, issueCustomerSecret } from './customers.js';
export { authenticateCustomer } from './customer-secrets.js';
export { listOfferedCards } from './saved-cards.js';
export { eraseCard, eraseExpiredCard, removeCardOfCustomer } from './card-erasure.js';
