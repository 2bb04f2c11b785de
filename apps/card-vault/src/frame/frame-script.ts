/**
 * What runs in the frame, as the browser gets it. It listens to its parent alone, and only from an origin on the list;
 * it posts to its own origin; and the parent is told results and which fields are wrong, never a value.
 */
export const FRAME_SCRIPT = `
'use strict';
const PARENTS = __PARENTS__;
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

async function submit(message) {
  if (isBusy) return;
  isBusy = true;
  const id = message.id;
  const body = Object.assign({}, message.details);
  for (const field of fields) body[field.name] = field.value;
  for (const field of fields) field.disabled = true;
  let result;
  try {
    const answer = await fetch('/client/payments', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', 'client-session-secret': String(message.secret) },
      body: JSON.stringify(body),
    });
    result = await answer.json();
  } catch {
    result = { statusCode: 500, message: 'No answer.', authCode: '', transactionId: '' };
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
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'enter' });
});
new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.scrollHeight })).observe(document.body);
`;
