// Receipt copies of payments, and the queue that sends mail.
export { listMailbox, Receipts } from './receipts.js';
export { type MailPort, type MailResult, postponeDueMail, sendDueMail } from './mail-sender.js';
