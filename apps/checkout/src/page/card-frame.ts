import { element } from './elements.js';
import type { ShownMeans, Try, TryResult } from './means.js';
import { isResult } from './service.js';

const READY_MS_MAX = 20_000;
const HEIGHT_MAX = 1_000;

/** Fields of a card: a frame of the vault, which alone sees what is typed. */
export class CardFrame implements ShownMeans {
  readonly element: HTMLIFrameElement;
  readonly ready: Promise<void>;
  readonly isNewCard = true;
  readonly #origin: string;
  readonly #waiting = new Map<number, (result: TryResult) => void>();
  #tries = 0;
  #isReady: () => void = () => undefined;

  constructor(
    { address, title }: { readonly address: string; readonly title: string },
    private readonly onEnter: () => void,
  ) {
    this.#origin = new URL(address).origin;
    this.element = element('iframe', { src: address, title, class: 'card' });
    this.ready = new Promise((resolve, reject) => {
      this.#isReady = resolve;
      setTimeout(() => reject(new Error('the card fields did not come')), READY_MS_MAX);
    });
    this.element.addEventListener('load', () => this.#tell({ type: 'hello' }));
    window.addEventListener('message', (event) => this.#hear(event));
  }

  submit({ secret, details }: Try & { readonly details: { readonly paymentMethodId?: string } }): Promise<TryResult> {
    this.#tries += 1;
    const id = this.#tries;
    const result = new Promise<TryResult>((resolve) => this.#waiting.set(id, resolve));
    this.#tell({ type: 'submit', id, secret, details });
    return result;
  }

  #tell(message: object): void {
    this.element.contentWindow?.postMessage(message, this.#origin);
  }

  /** Only the vault's origin in that very window speaks for it. */
  #hear({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== this.#origin || source !== this.element.contentWindow) return;
    if (typeof data !== 'object' || data === null || !('type' in data)) return;
    if (data.type === 'ready') this.#isReady();
    else if (data.type === 'enter') this.onEnter();
    else if (data.type === 'height' && 'height' in data) this.#grow(Number(data.height));
    else if (data.type === 'result' && 'id' in data && 'result' in data && 'fields' in data) this.#conclude(data);
  }

  #grow(height: number): void {
    if (height > 0) this.element.style.height = `${Math.min(height, HEIGHT_MAX)}px`;
  }

  #conclude({ id, result, fields }: Readonly<Record<'id' | 'result' | 'fields', unknown>>): void {
    if (typeof id !== 'number' || !isResult(result) || !Array.isArray(fields)) return;
    this.#waiting.get(id)?.({ result, fields: fields.map(String) });
    this.#waiting.delete(id);
  }
}
