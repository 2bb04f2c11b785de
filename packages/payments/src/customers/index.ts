// Customers of an account: their data, customer secrets and saved cards.
export { Customers, getCustomer, issueCustomerSecret } from './customers.js';
export { authenticateCustomer } from './customer-secrets.js';
export { eraseCard, eraseExpiredCard, listOfferedCards, removeCardOfCustomer } from './saved-cards.js';
