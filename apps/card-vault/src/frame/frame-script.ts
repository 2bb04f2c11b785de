/** The path that receives the fields of a whole card, or those of a saved card. */
export type FrameTarget = '/client/payments' | '/client/payments/saved-card';

/**
 * The script of the frame, as the browser receives it. It accepts messages only from its parent on a listed origin
 * and posts only to its own origin. It sends the parent results and the names of invalid fields, never a value.
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
// How long an issuer may inspect the device; then the payment continues without it.
const DEVICE_MS_MAX = 5000;
// Longer than the vault waits for the acquirer; after that the payment page reads the status of the payment.
const ANSWER_MS_MAX = 30000;
const NO_ANSWER = { statusCode: 500, message: 'No answer.', authCode: '', transactionId: '' };
const form = document.forms[0];
const said = document.getElementById('said');
const fields = Array.from(form.elements);
let parentOrigin = null;
let isBusy = false;

function publish(message) {
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
  // An error here is also an error of the payment, whose answer reports it.
  if (typeof formAction !== 'string') return;
  const frame = made('iframe', { name: 'device', title: 'Device data', hidden: true });
  frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin');
  const order = made('form', { method: 'post', action: formAction, target: 'device', hidden: true });
  order.append(made('input', { type: 'hidden', name: 'token', value: token }));
  document.body.append(frame, order);
  await new Promise((resolve) => {
    // The document of the frame's first empty page is readable; the issuer's document is not.
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
  // Without the number of the card there is no issuer to ask.
  if (cardNumber === undefined) return;
  const late = new Promise((resolve) => setTimeout(resolve, DEVICE_MS_MAX));
  await Promise.race([showDevice(secret, cardNumber).catch(() => undefined), late]);
}

async function submit(message) {
  const id = message.id;
  // The outcome of the running try is not known yet.
  if (isBusy) return publish({ type: 'result', id, result: NO_ANSWER, fields: [] });
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
  publish({ type: 'result', id, result: { statusCode, message: result.message, authCode, transactionId, stepUpUrl, paReq, md }, fields: Object.keys(errors) });
}

window.addEventListener('message', (event) => {
  if (event.source !== parent || !PARENTS.includes(event.origin)) return;
  const message = event.data;
  if (typeof message !== 'object' || message === null) return;
  parentOrigin = event.origin;
  if (message.type === 'hello') publish({ type: 'ready', isComplete: completeness() });
  else if (message.type === 'submit') void submit(message);
  else if (message.type === 'focus') fields[0].focus();
});

form.addEventListener('input', () => publish({ type: 'change', isComplete: completeness() }));
form.addEventListener('focusout', (event) => publish({ type: 'blur', field: event.target.name }));
// A form with several fields and without a button is not submitted by Enter, so the script handles the key.
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  publish({ type: 'enter' });
});
new ResizeObserver(() => publish({ type: 'height', height: document.documentElement.scrollHeight })).observe(document.body);
`;
