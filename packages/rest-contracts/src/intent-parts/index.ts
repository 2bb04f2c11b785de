// The parts that views of payment intents and setup intents share: branding, customer, payer and events.
export {
  presentBranding,
  presentConfig,
  presentCustomer,
  presentEvent,
  presentPayer,
  presentPaymentDetails,
} from './present-intent-parts.js';
