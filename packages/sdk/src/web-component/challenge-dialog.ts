import { type Challenge, isRecord } from '../flow/payment-result.js';
import { createButton, createElement } from './element.js';
import type { Texts } from './texts.js';

const FRAME_NAME = 'pos-issuer';

/** What a dialog shows, and where. */
interface ChallengeDialogOptions {
  readonly root: ShadowRoot;
  readonly texts: Texts;
  /** The amount and the merchant, which the issuer's page may not name; null if they are not known. */
  readonly payment: string | null;
}

/** Displays the page of the issuer until it sends its answer; null if the payer closes it. */
export function showChallengeDialog(
  { stepUpUrl, paReq, md }: Challenge,
  { root, texts, payment }: ChallengeDialogOptions,
): Promise<string | null> {
  const origin = new URL(stepUpUrl).origin;
  const frame = createElement('iframe', {
    ...{ name: FRAME_NAME, title: texts.get('bankFrame') },
    // The issuer's page may not navigate the page of the integrator.
    sandbox: 'allow-scripts allow-forms allow-same-origin allow-popups',
  });
  const inputs = Object.entries({ paReq, md }).map(([name, value]) =>
    createElement('input', { type: 'hidden', name, value }),
  );
  const form = createElement('form', { method: 'post', action: stepUpUrl, target: FRAME_NAME, hidden: true }, inputs);
  return new Promise((resolve) => {
    const finish = (answer: string | null): void => {
      window.removeEventListener('message', receive);
      dialog.remove();
      form.remove();
      resolve(answer);
    };
    const receive = ({ source, origin: from, data }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.contentWindow || from !== origin || !isRecord(data)) return;
      // An answer to another challenge is none.
      if (data['type'] !== 'challenge' || data['md'] !== md) return;
      if (typeof data['paRes'] === 'string' && data['paRes'] !== '') finish(data['paRes']);
    };
    const dialog = createElement('dialog', { class: 'bank', tabindex: '-1', 'aria-labelledby': 'bank' }, [
      createElement('header', {}, [
        createElement('h2', { id: 'bank' }, [texts.get('bank')]),
        payment === null ? null : createElement('p', { class: 'quiet' }, [payment]),
      ]),
      frame,
      createElement('div', { class: 'body' }, [createButton(texts.get('stop'), 'secondary', () => finish(null))]),
    ]);
    dialog.addEventListener('cancel', () => finish(null));
    window.addEventListener('message', receive);
    root.append(dialog, form);
    dialog.showModal();
    // With the focus in the issuer's page, the Escape key would not reach this dialog.
    dialog.focus();
    form.submit();
  });
}
