import './frame.css';
import { CardForm } from './card-form.js';
import { FrameSession } from './frame-session.js';
import { isSecretOf } from './secret-subject.js';
import { createVaultClient } from './vault-client.js';

/** The server writes them into the page. */
interface FrameSettings {
  /** The origins whose messages the frame accepts. */
  readonly parents: readonly string[];
  readonly target: string;
  readonly hasWholeCard: boolean;
  /** In the page of an integrator. */
  readonly paysOnlyIntentOfAddress: boolean;
}

const settings = JSON.parse(document.body.dataset['settings'] ?? '{}') as FrameSettings;
const form = new CardForm(settings.hasWholeCard);
let parentOrigin: string | null = null;

function publish(message: Readonly<Record<string, unknown>>): void {
  if (parentOrigin !== null) parent.postMessage(message, parentOrigin);
}

/** `/client/frame/embedded/{intentId}/card` */
const ownIntentId = settings.paysOnlyIntentOfAddress ? (location.pathname.split('/')[4] ?? '') : null;
const session = new FrameSession(form, {
  ...createVaultClient(settings.target),
  publish,
  isSecretAllowed: (secret) => ownIntentId === null || isSecretOf(secret, ownIntentId),
});

window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source !== parent || !settings.parents.includes(origin)) return;
  if (typeof data !== 'object' || data === null) return;
  parentOrigin = origin;
  void session.handleMessage({ ...data });
  // The height before the first message had no receiver.
  publishHeight();
});
form.element.addEventListener('input', () => publish({ type: 'change', isComplete: form.isComplete() }));
form.element.addEventListener('focusout', ({ target }) => {
  if (target instanceof HTMLInputElement) publish({ type: 'blur', field: target.name });
});
// A form with several fields and without a button is not submitted by Enter, so the script handles the key.
form.element.addEventListener('keydown', (event) => {
  // The Enter that accepts the proposal of an input method pays nothing.
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  publish({ type: 'enter' });
});
document.body.append(form.element);
new ResizeObserver(publishHeight).observe(document.body);

function publishHeight(): void {
  publish({ type: 'height', height: Math.ceil(form.element.getBoundingClientRect().height) });
}
