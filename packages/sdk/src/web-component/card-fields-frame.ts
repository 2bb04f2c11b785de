import { CardFieldsChannel, type FieldsListener, type FieldsLook } from '../flow/card-fields-channel.js';
import { createElement } from './element.js';

/** For a frame that the network delays. */
const READY_TIMEOUT_MS = 15_000;
/** A frame that has loaded answers at once. One that a browser or a policy blocks fires `load` and never answers. */
const READY_AFTER_LOAD_MS = 3_000;
const HEIGHT_MAX = 1_000;

/** What a frame displays. */
export interface FrameOptions {
  /** An address of the vault. */
  readonly address: string;
  /** For screen readers. */
  readonly title: string;
  readonly isCodeOnly: boolean;
  readonly look: FieldsLook;
}

/** The card fields, in a frame of the vault. Only the vault receives their values. */
export class CardFieldsFrame {
  readonly element: HTMLIFrameElement;
  readonly channel: CardFieldsChannel;
  /** Whether the fields can be used; false if they did not load in time. Never rejects. */
  readonly whenReady: Promise<boolean>;
  readonly #origin: string;
  readonly #stop = new AbortController();

  constructor(
    { address, title, isCodeOnly, look }: FrameOptions,
    listener: Omit<FieldsListener, 'onReady' | 'onHeight'>,
  ) {
    this.#origin = new URL(address).origin;
    this.element = createElement('iframe', { src: address, title, class: isCodeOnly ? 'fields code' : 'fields' });
    let setReady: (isReady: boolean) => void = () => undefined;
    this.whenReady = new Promise((resolve) => (setReady = resolve));
    // A frame that cannot be displayed fires `load` too: only its message proves that it works.
    setTimeout(() => setReady(false), READY_TIMEOUT_MS);
    this.channel = new CardFieldsChannel((message) => this.element.contentWindow?.postMessage(message, this.#origin), {
      ...listener,
      onReady: () => setReady(true),
      onHeight: (height) => (this.element.style.height = `${Math.min(height, HEIGHT_MAX)}px`),
    });
    this.element.addEventListener('load', () => {
      this.channel.greet(look);
      setTimeout(() => setReady(false), READY_AFTER_LOAD_MS);
    });
    // Messages of other windows and origins are not from the vault.
    const receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== null && source === this.element.contentWindow && origin === this.#origin)
        this.channel.receive(data);
    };
    window.addEventListener('message', receive, { signal: this.#stop.signal });
  }

  remove(): void {
    this.#stop.abort();
    this.element.remove();
  }
}
