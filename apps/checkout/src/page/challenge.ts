import type { PaymentResult } from '@pos/rest-contracts/client-payments';
import { element } from './elements.js';

/** What is told in the issuer's place when the payer closed its page; no issuer says it, so the try is declined. */
const CHALLENGE_CLOSED = 'closed-by-payer';

const FRAME_NAME = 'issuer';

/** Shows the issuer's page in a frame above ours until it says how the payer did, or the payer closes it. */
export function askIssuer({ stepUpUrl = '', paReq = '', md = '' }: PaymentResult): Promise<string> {
  const origin = new URL(stepUpUrl).origin;
  const frame = element('iframe', {
    name: FRAME_NAME,
    title: "Your bank's page",
    // It may not take the payer away from here.
    sandbox: 'allow-scripts allow-forms allow-same-origin allow-popups',
  });
  const close = element('button', { type: 'button', class: 'plain' }, ['Stop and do not pay']);
  const dialog = element('dialog', { tabindex: '-1', 'aria-label': 'Your bank asks for a confirmation' }, [
    frame,
    close,
  ]);
  const order = element('form', { method: 'post', action: stepUpUrl, target: FRAME_NAME, hidden: true }, [
    element('input', { type: 'hidden', name: 'paReq', value: paReq }),
    element('input', { type: 'hidden', name: 'md', value: md }),
  ]);
  return new Promise((resolve) => {
    const end = (paRes: string): void => {
      window.removeEventListener('message', hear);
      dialog.remove();
      order.remove();
      resolve(paRes);
    };
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      const paRes = answerIn(event.data, md);
      if (paRes !== null) end(paRes);
    };
    window.addEventListener('message', hear);
    close.addEventListener('click', () => end(CHALLENGE_CLOSED));
    dialog.addEventListener('cancel', () => end(CHALLENGE_CLOSED));
    document.body.append(dialog, order);
    dialog.showModal();
    // Else the focus were in the issuer's page, where Escape does not reach us.
    dialog.focus();
    order.submit();
  });
}

/** An answer about another challenge is none. */
function answerIn(data: unknown, md: string): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'challenge') return null;
  if (!('md' in data) || data.md !== md || !('paRes' in data) || typeof data.paRes !== 'string') return null;
  return data.paRes === '' ? null : data.paRes;
}
