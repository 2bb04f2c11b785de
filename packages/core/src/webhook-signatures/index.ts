// Webhook signatures: headers of a delivery, and verification in both supported schemes.
export {
  createDeliveryHeaders,
  encodeStandardSecret,
  isServiceSignature,
  isStandardSignature,
} from './webhook-signature.js';
