import { createElement } from './element.js';
import type { VisibleInstrument, PaymentAttempt, AttemptOutcome } from './payment-instrument.js';
import { isPaymentResult } from './payment-client.js';

const READY_TIMEOUT_MS = 20_000;
const HEIGHT_MAX = 1_000;

/** The fields of a card, in a frame of the vault. Only the vault receives their values. */
export class CardFrame implements VisibleInstrument {
  readonly element: HTMLIFrameElement;
  readonly ready: Promise<void>;
  readonly isNewCard = true;
  readonly #origin: string;
  readonly #pendingResults = new Map<number, (result: AttemptOutcome) => void>();
  #lastId = 0;
  #onReady: () => void = () => undefined;

  constructor(
    { address, title }: { readonly address: string; readonly title: string },
    private readonly onEnter: () => void,
  ) {
    this.#origin = new URL(address).origin;
    this.element = createElement('iframe', { src: address, title, class: 'card' });
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      setTimeout(() => reject(new Error('the card fields did not come')), READY_TIMEOUT_MS);
    });
    this.element.addEventListener('load', () => this.#postMessage({ type: 'hello' }));
    window.addEventListener('message', (event) => this.#handleMessage(event));
  }

  submitAttempt({
    secret,
    details,
  }: PaymentAttempt & { readonly details: { readonly paymentMethodId?: string } }): Promise<AttemptOutcome> {
    this.#lastId += 1;
    const id = this.#lastId;
    const result = new Promise<AttemptOutcome>((resolve) => this.#pendingResults.set(id, resolve));
    this.#postMessage({ type: 'submit', id, secret, details });
    return result;
  }

  #postMessage(message: object): void {
    this.element.contentWindow?.postMessage(message, this.#origin);
  }

  /** Accepts messages only from the vault's origin and from this frame's window. */
  #handleMessage({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== this.#origin || source !== this.element.contentWindow) return;
    if (typeof data !== 'object' || data === null || !('type' in data)) return;
    if (data.type === 'ready') this.#onReady();
    else if (data.type === 'enter') this.onEnter();
    else if (data.type === 'height' && 'height' in data) this.#setHeight(Number(data.height));
    else if (data.type === 'result' && 'id' in data && 'result' in data && 'fields' in data) this.#resolveResult(data);
  }

  #setHeight(height: number): void {
    if (height > 0) this.element.style.height = `${Math.min(height, HEIGHT_MAX)}px`;
  }

  #resolveResult({ id, result, fields }: Readonly<Record<'id' | 'result' | 'fields', unknown>>): void {
    if (typeof id !== 'number' || !isPaymentResult(result) || !Array.isArray(fields)) return;
    this.#pendingResults.get(id)?.({ result, fields: fields.map(String) });
    this.#pendingResults.delete(id);
  }
}
