import type { Theme } from '../branding/branding.js';
import { createElement } from '../elements/element.js';
import type { AttemptOutcome, PaymentAttempt } from '../service/payment-attempt.js';
import { isPaymentResult } from '../service/payment-client.js';
import type { Scheme } from '../texts/display-names.js';
import { getText, type Language } from '../texts/texts.js';
import type { VisibleInstrument } from './payment-instrument.js';

/** A payer does not wait longer before an empty box. A frame that answers later takes the place of the message. */
const READY_TIMEOUT_MS = 3_000;
const CHECK_TIMEOUT_MS = 5_000;
const HEIGHT_MAX = 1_000;

/** How the frame looks like the page around it. */
export interface FrameLook {
  readonly language: Language;
  readonly theme: Theme;
  /** The schemes whose signs are shown beside the number. */
  readonly schemes: readonly Scheme[];
}

interface FrameOptions {
  readonly address: string;
  readonly title: string;
  readonly look: FrameLook;
}

/** The fields of a card, in a frame of the vault. Only the vault receives their values. */
export class CardFrame implements VisibleInstrument {
  readonly element: HTMLElement;
  readonly isNewCard = true;
  readonly #frame: HTMLIFrameElement;
  readonly #failure: HTMLElement;
  readonly #origin: string;
  readonly #pendingResults = new Map<number, (result: AttemptOutcome) => void>();
  readonly #pendingChecks = new Map<number, (isRight: boolean) => void>();
  readonly #readyListeners: (() => void)[] = [];
  #lastId = 0;
  #isReady = false;
  #readyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly frameOptions: FrameOptions,
    private readonly onEnter: () => void,
  ) {
    const { address, title } = frameOptions;
    this.#origin = new URL(address).origin;
    this.#frame = createElement('iframe', { src: address, title, class: 'card-frame' });
    this.#failure = this.#createFailure();
    this.element = createElement('div', { class: 'frame-holder' }, [this.#frame, this.#failure]);
    this.#frame.addEventListener('load', () => this.#postMessage({ type: 'hello', ...frameOptions.look }));
    window.addEventListener('message', (event) => this.#handleMessage(event));
    this.#waitForReady();
  }

  whenReady(onReady: () => void): void {
    if (this.#isReady) onReady();
    else this.#readyListeners.push(onReady);
  }

  /** The frame marks the wrong fields. A frame that does not answer must not keep the payer from paying. */
  checkFields(isFocusAllowed: boolean): Promise<boolean> {
    const id = this.#nextId();
    return new Promise((resolve) => {
      this.#pendingChecks.set(id, resolve);
      setTimeout(() => this.#resolveCheck(id, true), CHECK_TIMEOUT_MS);
      this.#postMessage({ type: 'check', id, isFocusAllowed });
    });
  }

  submitAttempt({
    secret,
    details,
  }: PaymentAttempt & { readonly details: { readonly paymentMethodId?: string } }): Promise<AttemptOutcome> {
    const id = this.#nextId();
    const result = new Promise<AttemptOutcome>((resolve) => this.#pendingResults.set(id, resolve));
    this.#postMessage({ type: 'submit', id, secret, details });
    return result;
  }

  /** Fills in a test card, which only the frame knows. */
  fillTestCard(name: string): void {
    this.#postMessage({ type: 'fill-test-card', name });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #postMessage(message: object): void {
    this.#frame.contentWindow?.postMessage(message, this.#origin);
  }

  /** A frame that cannot be loaded fires `load` too: only its message shows that it works. */
  #waitForReady(): void {
    clearTimeout(this.#readyTimer);
    this.#readyTimer = setTimeout(() => this.#showFailure(true), READY_TIMEOUT_MS);
  }

  #showFailure(isFailed: boolean): void {
    this.#failure.hidden = !isFailed;
    this.#frame.hidden = isFailed;
  }

  #createFailure(): HTMLElement {
    const retry = createElement('button', { type: 'button', class: 'plain' }, [getText('tryAgain')]);
    retry.addEventListener('click', () => {
      this.#showFailure(false);
      this.#frame.src = this.frameOptions.address;
      this.#waitForReady();
    });
    const text = createElement('p', { class: 'alert', role: 'alert' }, [getText('frameFailed')]);
    return createElement('div', { class: 'frame-failure', hidden: true }, [text, retry]);
  }

  /** Accepts messages only from the vault's origin and from this frame's window. */
  #handleMessage({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== this.#origin || source !== this.#frame.contentWindow) return;
    if (typeof data !== 'object' || data === null || !('type' in data)) return;
    if (data.type === 'ready') this.#setReady();
    else if (data.type === 'enter') this.onEnter();
    else if (data.type === 'height' && 'height' in data) this.#setHeight(Number(data.height));
    else if (data.type === 'checked' && 'id' in data && 'isRight' in data)
      this.#resolveCheck(Number(data.id), data.isRight === true);
    else if (data.type === 'result' && 'id' in data && 'result' in data && 'fields' in data) this.#resolveResult(data);
  }

  #setReady(): void {
    clearTimeout(this.#readyTimer);
    this.#showFailure(false);
    this.#isReady = true;
    for (const listener of this.#readyListeners.splice(0)) listener();
  }

  #setHeight(height: number): void {
    if (height > 0) this.#frame.style.height = `${Math.min(height, HEIGHT_MAX)}px`;
  }

  #resolveCheck(id: number, isRight: boolean): void {
    this.#pendingChecks.get(id)?.(isRight);
    this.#pendingChecks.delete(id);
  }

  #resolveResult({ id, result, fields }: Readonly<Record<'id' | 'result' | 'fields', unknown>>): void {
    if (typeof id !== 'number' || !isPaymentResult(result) || !Array.isArray(fields)) return;
    this.#pendingResults.get(id)?.({ result, fields: fields.map(String) });
    this.#pendingResults.delete(id);
  }
}
