// Receipts from card machines, their copies by mail, and mail to portal users.
export {
  type Receipt,
  RECEIPT_ALIGNS,
  RECEIPT_LINE_TYPES,
  RECEIPT_TEXT_SIZES,
  type ReceiptAlign,
  type ReceiptCopy,
  type ReceiptHeading,
  type ReceiptLine,
  type ReceiptTextSize,
} from './receipt.js';
export {
  createReceiptCopy,
  createReceiptMail,
  isCompletion,
  markCopyStatus,
  type ReceiptMail,
} from './receipt-mail.js';
export { createPortalMail, type PortalNotice } from './portal-mail.js';
