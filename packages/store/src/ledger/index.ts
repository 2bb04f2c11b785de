// Stored ledger entries with their postings, including unlinked refunds of terminal sessions.
export { appendSessionEntries, listLedgerEntries } from './ledger.js';
