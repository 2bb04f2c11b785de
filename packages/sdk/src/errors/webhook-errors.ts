import { PosError } from './errors.js';

/** A delivery that must not be processed. */
export class WebhookRefusedError extends PosError {
  override readonly name: string = 'WebhookRefusedError';
}

/** A header that every delivery has is missing. */
export class WebhookHeaderMissingError extends WebhookRefusedError {
  override readonly name = 'WebhookHeaderMissingError';
}

/** A header or the body has another form than a delivery. */
export class WebhookMalformedError extends WebhookRefusedError {
  override readonly name = 'WebhookMalformedError';
}

/** The delivery was sent too long ago, or the clocks differ. */
export class WebhookTooOldError extends WebhookRefusedError {
  override readonly name = 'WebhookTooOldError';
}

/** No signature was made with any of the secrets over this body, id and time. */
export class WebhookSignatureError extends WebhookRefusedError {
  override readonly name = 'WebhookSignatureError';
}
