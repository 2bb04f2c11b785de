/** Where the fields of a whole card are sent, and where those of a saved card are. */
export type FrameTarget = '/client/payments' | '/client/payments/saved-card';

/**
 * What runs in the frame, as the browser gets it. It listens to its parent alone, and only from an origin on the list;
 * it posts to its own origin; and the parent is told results and which fields are wrong, never a value.
 */
export function createFrameScript(parents: readonly string[], target: FrameTarget): string {
  return SCRIPT.replace('__PARENTS__', toScriptJson(parents)).replace('__TARGET__', toScriptJson(target));
}

function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

const SCRIPT = `
'use strict';
const PARENTS = __PARENTS__;
const TARGET = __TARGET__;
// How long an issuer may look at the device; the payment goes on without it.
const DEVICE_MS_MAX = 5000;
// Longer than the vault waits for the acquirer; then the page reads how the payment stands.
const ANSWER_MS_MAX = 30000;
const NO_ANSWER = { statusCode: 500, message: 'No answer.', authCode: '', transactionId: '' };
const form = document.forms[0];
const said = document.getElementById('said');
const fields = Array.from(form.elements);
let parentOrigin = null;
let isBusy = false;

function tell(message) {
  if (parentOrigin !== null) parent.postMessage(message, parentOrigin);
}

function mark(errors) {
  for (const field of fields) field.setAttribute('aria-invalid', String(field.name in errors));
  const wrong = fields.filter((field) => field.name in errors);
  said.textContent = wrong.length === 0 ? '' : 'Please check: ' + wrong.map((field) => field.labels[0].firstChild.data.trim()).join(', ');
  if (wrong.length > 0) wrong[0].focus();
}

function completeness() {
  return fields.every((field) => field.value.trim() !== '');
}

async function post(path, secret, body) {
  const answer = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', 'client-session-secret': String(secret) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  return answer.json();
}

function made(tag, members) {
  return Object.assign(document.createElement(tag), members);
}

async function showDevice(secret, cardNumber) {
  const { formAction, token } = await post('/client/device-data', secret, { cardNumber });
  // Whatever is wrong here is wrong with the payment too, whose answer says it.
  if (typeof formAction !== 'string') return;
  const frame = made('iframe', { name: 'device', title: 'Device data', hidden: true });
  frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin');
  const order = made('form', { method: 'post', action: formAction, target: 'device', hidden: true });
  order.append(made('input', { type: 'hidden', name: 'token', value: token }));
  document.body.append(frame, order);
  await new Promise((resolve) => {
    // The empty page that a frame begins with may be read; the issuer's may not.
    frame.addEventListener('load', () => {
      if (frame.contentDocument === null) resolve();
    });
    setTimeout(resolve, DEVICE_MS_MAX);
    order.submit();
  });
  frame.remove();
  order.remove();
}

async function prepare(secret, { cardNumber }) {
  // A saved card's number is not here.
  if (cardNumber === undefined) return;
  const late = new Promise((resolve) => setTimeout(resolve, DEVICE_MS_MAX));
  await Promise.race([showDevice(secret, cardNumber).catch(() => undefined), late]);
}

async function submit(message) {
  const id = message.id;
  // How the try before it ends is not known yet.
  if (isBusy) return tell({ type: 'result', id, result: NO_ANSWER, fields: [] });
  isBusy = true;
  const body = Object.assign({}, message.details);
  for (const field of fields) body[field.name] = field.value;
  for (const field of fields) field.disabled = true;
  let result;
  try {
    await prepare(message.secret, body);
    result = await post(TARGET, message.secret, body);
  } catch {
    result = NO_ANSWER;
  }
  for (const field of fields) field.disabled = false;
  isBusy = false;
  const errors = result.errors || {};
  mark(errors);
  const { statusCode, authCode, transactionId, stepUpUrl, paReq, md } = result;
  if (statusCode === 0) form.reset();
  else form.elements.cV2.value = '';
  tell({ type: 'result', id, result: { statusCode, message: result.message, authCode, transactionId, stepUpUrl, paReq, md }, fields: Object.keys(errors) });
}

window.addEventListener('message', (event) => {
  if (event.source !== parent || !PARENTS.includes(event.origin)) return;
  const message = event.data;
  if (typeof message !== 'object' || message === null) return;
  parentOrigin = event.origin;
  if (message.type === 'hello') tell({ type: 'ready', isComplete: completeness() });
  else if (message.type === 'submit') void submit(message);
  else if (message.type === 'focus') fields[0].focus();
});

form.addEventListener('input', () => tell({ type: 'change', isComplete: completeness() }));
form.addEventListener('focusout', (event) => tell({ type: 'blur', field: event.target.name }));
// Browsers do not submit a form of several fields that has no button, so the key itself is heard.
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  tell({ type: 'enter' });
});
new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.scrollHeight })).observe(document.body);
`;
