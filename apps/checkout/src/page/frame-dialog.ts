import { createElement } from './element.js';

const FRAME_NAME = 'asked';

/** Whose page is shown, and what it is sent. */
interface FrameDialogOptions {
  /** For those who cannot see it. */
  readonly title: string;
  readonly label: string;
  readonly address: string;
  readonly members: Readonly<Record<string, string>>;
  readonly closing: string;
}

/** Shows somebody's page in a frame above ours until it says what `read` understands, or the payer closes it: null. */
export function showFrameDialog<T>(
  dialogOptions: FrameDialogOptions,
  read: (data: unknown) => T | null,
): Promise<T | null> {
  const origin = new URL(dialogOptions.address).origin;
  const frame = createElement('iframe', {
    name: FRAME_NAME,
    title: dialogOptions.title,
    // It may not take the payer away from here.
    sandbox: 'allow-scripts allow-forms allow-same-origin allow-popups',
  });
  const close = createElement('button', { type: 'button', class: 'plain' }, [dialogOptions.closing]);
  const dialog = createElement('dialog', { tabindex: '-1', 'aria-label': dialogOptions.label }, [frame, close]);
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
    // Else the focus were in the other page, where Escape does not reach us.
    dialog.focus();
    postForm.submit();
  });
}
