import { createElement } from '../elements/element.js';

const FRAME_NAME = 'asked';
const HEADING_ID = 'dialog-heading';

/** The page to show, and the form members to post to it. */
interface FrameDialogOptions {
  /** For screen readers. */
  readonly title: string;
  readonly heading: string;
  /** The amount and the merchant, which the foreign page may not name. */
  readonly payment: string;
  readonly address: string;
  readonly members: Readonly<Record<string, string>>;
  readonly closing: string;
}

/** Shows a foreign page in a dialog until `read` accepts one of its messages; null if the payer closes the dialog. */
export function showFrameDialog<T>(
  dialogOptions: FrameDialogOptions,
  read: (data: unknown) => T | null,
): Promise<T | null> {
  const origin = new URL(dialogOptions.address).origin;
  const frame = createElement('iframe', {
    name: FRAME_NAME,
    title: dialogOptions.title,
    // The foreign page may not navigate this page.
    sandbox: 'allow-scripts allow-forms allow-same-origin allow-popups',
  });
  const close = createElement('button', { type: 'button', class: 'plain' }, [dialogOptions.closing]);
  const dialog = createElement('dialog', { tabindex: '-1', 'aria-labelledby': HEADING_ID }, [
    createElement('h2', { id: HEADING_ID }, [dialogOptions.heading]),
    createElement('p', { class: 'dialog-payment' }, [dialogOptions.payment]),
    frame,
    close,
  ]);
  const inputs = Object.entries(dialogOptions.members).map(([name, value]) =>
    createElement('input', { type: 'hidden', name, value }),
  );
  const postForm = createElement(
    'form',
    { method: 'post', action: dialogOptions.address, target: FRAME_NAME, hidden: true },
    inputs,
  );
  return new Promise((resolve) => {
    const closeDialog = (answer: T | null): void => {
      window.removeEventListener('message', handleMessage);
      dialog.remove();
      postForm.remove();
      resolve(answer);
    };
    const handleMessage = (event: MessageEvent<unknown>): void => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      const answer = read(event.data);
      if (answer !== null) closeDialog(answer);
    };
    window.addEventListener('message', handleMessage);
    close.addEventListener('click', () => closeDialog(null));
    dialog.addEventListener('cancel', () => closeDialog(null));
    document.body.append(dialog, postForm);
    dialog.showModal();
    // With the focus in the foreign page, the Escape key would not reach this dialog.
    dialog.focus();
    postForm.submit();
  });
}
