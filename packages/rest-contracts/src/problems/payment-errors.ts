import type { ErrorExplanation } from './error-explanation.js';

/** Errors of payments, cards, terminals and webhooks. */
export const PAYMENT_ERRORS = {
  saved_card_not_found: {
    meaning: 'The customer has no such saved card.',
    action: 'List the saved cards of the customer.',
  },
  saved_card_not_usable: {
    meaning: 'The saved card cannot be used: it is expired, deleted or not of this kind.',
    action: 'Let the payer choose or enter another card.',
  },
  saved_card_busy: {
    meaning: 'Another payment uses the saved card at this moment.',
    action: 'Wait until it ends, then repeat.',
  },
  saved_card_of_setup_intent: {
    meaning: 'The card belongs to a setup intent and is deleted with it.',
    action: 'Cancel the setup intent instead.',
  },
  payment_intent_not_found: {
    meaning: 'The account has no payment intent with this id in this environment, or it is canceled.',
    action: 'Check the id and the key. Add `returnCanceled=true` to read a canceled intent.',
  },
  payment_intent_unknown: {
    meaning: 'The payment intent to capture, refund or reverse does not exist in this account and environment.',
    action: 'Check the id and whether the key is of the sandbox or of production.',
  },
  payment_intent_canceled: { meaning: 'The payment intent is canceled.', action: 'Create a new intent.' },
  payment_intent_busy: {
    meaning: 'An attempt, a terminal session or another change of the intent is running.',
    action: 'Wait until it ends: read the intent, or wait for `payment_intent.status_updated`.',
  },
  payment_intent_not_cancelable: {
    meaning: 'The payment intent is not `Created` any more.',
    action: 'Reverse or refund the payment instead.',
  },
  payment_intent_not_payable: {
    meaning: 'The payment intent cannot be paid: it is paid, canceled, expired or of another kind.',
    action: 'Read the intent; create a new one for a new payment.',
  },
  currency_not_enabled: {
    meaning: 'The account does not accept this currency.',
    action: 'Use a currency of the account, or ask to have it enabled.',
  },
  not_capturable: {
    meaning: 'The payment intent is not `Authorized`, so nothing can be captured.',
    action: 'Read its status. An intent with `captureMode` `Auto` is captured by itself.',
  },
  capture_exceeds_authorized: {
    meaning: 'The capture and the earlier captures together exceed the authorized total.',
    action: 'Capture at most what is left.',
  },
  capture_refused: {
    meaning: 'The acquirer refused the capture. The intent is unchanged.',
    action: 'Read `detail`. Try again later with a new key, or ask for another payment.',
  },
  not_refundable: {
    meaning: 'This payment has no captured money that could be refunded: nothing was captured, or all was returned.',
    action: 'Read the payment intent. Cancel or reverse a payment that was not captured.',
  },
  refund_exceeds_captured: {
    meaning: 'The refund and the earlier refunds together exceed what was captured.',
    action: 'Refund at most what is left.',
  },
  refund_refused: {
    meaning: 'The acquirer refused the refund. Nothing was changed.',
    action: 'Read `detail`. Pay the payer back in another way if it stays refused.',
  },
  refund_not_found: {
    meaning: 'The account has no refund with this id in this environment.',
    action: 'Check the id and the key.',
  },
  not_reversible: {
    meaning: 'The payment is in a state in which it cannot be reversed.',
    action: 'Refund it if it was captured.',
  },
  reversal_window_passed: {
    meaning: 'The time in which this payment could be reversed is over.',
    action: 'Refund the payment instead.',
  },
  reversal_refused: {
    meaning: 'The acquirer refused the reversal. The intent is unchanged.',
    action: 'Refund the payment instead, if it was captured.',
  },
  not_chargeable: {
    meaning: 'The payment intent is not in a state in which it can be charged.',
    action: 'Read its status; create a new intent for a new charge.',
  },
  charge_without_setup_intent: {
    meaning: 'The payment intent has no setup intent, so there is no card to charge.',
    action: 'Create the payment intent with `setupIntentId`.',
  },
  charge_exceeds_intended: {
    meaning: 'The total is above the `intendedAmount` that the payer agreed to.',
    action: 'Charge at most the intended amount.',
  },
  setup_intent_not_chargeable: {
    meaning: 'The setup intent is not `Authorized`, or another charge of it is running.',
    action: 'Read the setup intent. A card can be charged once.',
  },
  amount_change_not_enabled: {
    meaning:
      'The intent was created without `config.payment.customAmountAllowed`; to raise a hold, also without `config.payment.holdRaiseAllowed`.',
    action: 'Create a new intent that allows it.',
  },
  amount_not_changeable: { meaning: 'The amount cannot be changed in this state.', action: 'Create a new intent.' },
  amount_not_raised: {
    meaning: 'The amount of an authorized payment can only be raised.',
    action: 'Capture less instead of lowering the amount.',
  },
  amount_raise_refused: {
    meaning: 'The issuer refused to authorize the difference. The intent is unchanged.',
    action: 'Keep the amount, or take the difference as another payment.',
  },
  tips_change_not_enabled: {
    meaning: 'The intent was created without `config.payment.tipsAllowed`.',
    action: 'Create a new intent that allows it.',
  },
  tips_not_changeable: {
    meaning: 'The tip cannot be changed in this state.',
    action: 'Send `tipsAmount` with the capture, or create a new intent.',
  },
  secret_not_refreshable: {
    meaning: 'The intent cannot be paid any more, so it gets no new client session secret.',
    action: 'Read the intent; create a new one for a new payment.',
  },
  receipt_not_available: {
    meaning: 'There is no payment yet to send a receipt of.',
    action: 'Wait until the payment is authorized or captured.',
  },
  receipts_exhausted: {
    meaning: 'Three receipts of this payment were mailed within a day; its payer may request no more.',
    action: 'Ask the merchant, who may send further receipts with a key.',
  },
  setup_intent_not_found: {
    meaning: 'The account has no setup intent with this id in this environment.',
    action: 'Check the id and the key.',
  },
  setup_intent_busy: {
    meaning: 'An attempt or a change of the setup intent is running.',
    action: 'Wait until it ends, then repeat.',
  },
  setup_intent_not_authorisable: {
    meaning: 'The setup intent is not `Created` any more, so no card can be authorized for it.',
    action: 'Create a new setup intent.',
  },
  setup_intent_not_cancelable: {
    meaning: 'The setup intent is over, or is authorized and `includeAuthorized` was not sent.',
    action: 'Send `includeAuthorized=true` to give up an authorized card.',
  },
  customer_not_found: {
    meaning: 'The account has no customer with this id in this environment.',
    action: 'Check the id and the key.',
  },
  terminal_not_found: {
    meaning: 'The account has no terminal with this id in this environment.',
    action: 'List the terminals of the account.',
  },
  terminal_unavailable: {
    meaning: 'The terminal is in use or offline.',
    action: 'Wait until `GET /terminals` lists it as `Available`.',
  },
  terminal_session_not_found: {
    meaning: 'The account has no terminal session with this id in this environment.',
    action: 'Check the id and the key.',
  },
  terminal_session_not_cancelable: {
    meaning: 'The session is too far to be canceled.',
    action: 'Wait for its end, then reverse or refund the payment.',
  },
  signature_not_awaited: {
    meaning: 'The session does not wait for a decision about a signature, or the time for it is over.',
    action: 'Read the session: it continues without the decision.',
  },
  subscription_not_found: {
    meaning: 'The account has no webhook subscription with this id in this environment.',
    action: 'List the subscriptions.',
  },
  event_kind_taken: {
    meaning: 'Another subscription of the account already receives this kind of event.',
    action: 'Change that subscription, or delete it first.',
  },
  secret_not_found: {
    meaning: 'The subscription has no secret with this id.',
    action: 'Read the subscription: it lists its secrets.',
  },
  secret_is_active: {
    meaning: 'The active secret of a subscription cannot be deleted.',
    action: 'Activate another secret first.',
  },
  secrets_exhausted: {
    meaning: 'The subscription has as many secrets as it may have.',
    action: 'Delete a secret that is not active.',
  },
  delivery_not_found: {
    meaning: 'The subscription has no delivery with this id.',
    action: 'List the deliveries of the subscription.',
  },
  delivery_not_dead_lettered: {
    meaning: 'Only a delivery that was given up can be replayed one by one.',
    action: 'Wait for its next attempt, or replay a range of time.',
  },
  event_kind_not_subscribed: {
    meaning: 'The subscription does not receive this kind of event.',
    action: 'Choose one of its kinds, or add the kind to the subscription.',
  },
} as const satisfies Readonly<Record<string, ErrorExplanation>>;
