import type { FrameConnections, PayerSecrets } from './frame-session.js';

/** How long an issuer may inspect the device; then the payment continues without it. */
const DEVICE_MS_MAX = 5_000;
/** Longer than the vault waits for the acquirer; after that the payment page reads the status of the payment. */
const ANSWER_MS_MAX = 30_000;

/** Calls the vault, which serves this frame, for one kind of submission. */
export function createVaultClient(target: string): Pick<FrameConnections, 'pay' | 'showDevice'> {
  return {
    pay: async (secrets, body) => (await post(target, secrets, body)) as Awaited<ReturnType<FrameConnections['pay']>>,
    showDevice: (secret, cardNumber) =>
      Promise.race([showDevice(secret, cardNumber).catch(() => undefined), wait(DEVICE_MS_MAX)]),
  };
}

async function post(path: string, { secret, customerSecret }: PayerSecrets, body: object): Promise<unknown> {
  const answer = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      ...{ 'content-type': 'application/json', 'client-session-secret': secret },
      ...(customerSecret !== null && { 'customer-secret': customerSecret }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  return answer.json();
}

/** Posts the token to the issuer's page in a hidden frame, and waits until that page has loaded. */
async function showDevice(secret: string, cardNumber: string): Promise<void> {
  const { formAction, token } = (await post(
    '/client/device-data',
    { secret, customerSecret: null },
    { cardNumber },
  )) as {
    readonly formAction?: unknown;
    readonly token?: unknown;
  };
  // An error here is also an error of the payment, whose answer reports it.
  if (typeof formAction !== 'string') return;
  const frame = Object.assign(document.createElement('iframe'), { name: 'device', title: 'Device data', hidden: true });
  frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin');
  const form = Object.assign(document.createElement('form'), {
    ...{ method: 'post', action: formAction, target: 'device', hidden: true },
  });
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'token', value: String(token) }));
  document.body.append(frame, form);
  await new Promise<void>((resolve) => {
    // The document of the frame's first empty page is readable; the issuer's document is not.
    frame.addEventListener('load', () => {
      if (frame.contentDocument === null) resolve();
    });
    setTimeout(resolve, DEVICE_MS_MAX);
    form.submit();
  });
  frame.remove();
  form.remove();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
