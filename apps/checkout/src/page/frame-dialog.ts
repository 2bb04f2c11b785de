import { element } from './elements.js';

const FRAME_NAME = 'asked';

/** Whose page is shown, and what it is sent. */
interface Asked {
  /** For those who cannot see it. */
  readonly title: string;
  readonly label: string;
  readonly address: string;
  readonly members: Readonly<Record<string, string>>;
  readonly closing: string;
}

/** Shows somebody's page in a frame above ours until it says what `read` understands, or the payer closes it: null. */
export function askInFrame<T>(asked: Asked, read: (data: unknown) => T | null): Promise<T | null> {
  const origin = new URL(asked.address).origin;
  const frame = element('iframe', {
    name: FRAME_NAME,
    title: asked.title,
    // It may not take the payer away from here.
    sandbox: 'allow-scripts allow-forms allow-same-origin allow-popups',
  });
  const close = element('button', { type: 'button', class: 'plain' }, [asked.closing]);
  const dialog = element('dialog', { tabindex: '-1', 'aria-label': asked.label }, [frame, close]);
  const inputs = Object.entries(asked.members).map(([name, value]) =>
    element('input', { type: 'hidden', name, value }),
  );
  const order = element('form', { method: 'post', action: asked.address, target: FRAME_NAME, hidden: true }, inputs);
  return new Promise((resolve) => {
    const end = (answer: T | null): void => {
      window.removeEventListener('message', hear);
      dialog.remove();
      order.remove();
      resolve(answer);
    };
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      const answer = read(event.data);
      if (answer !== null) end(answer);
    };
    window.addEventListener('message', hear);
    close.addEventListener('click', () => end(null));
    dialog.addEventListener('cancel', () => end(null));
    document.body.append(dialog, order);
    dialog.showModal();
    // Else the focus were in the other page, where Escape does not reach us.
    dialog.focus();
    order.submit();
  });
}
