import { CHALLENGE_FAILED, CHALLENGE_PASSED } from '@pos/sandbox/cards';
import type { FormPage, PageContent } from '@pos/service-kit/http';
import { escapeHtml, computePolicyHash, createExternalPage } from './external-page.js';

/** Where the simulated issuer challenges the payer; result 3 contains this path. */
export const CHALLENGE_PATH = '/acquirer/challenge';

/** Posts the answer to the parent page. Any origin receives it: the answer contains no secret. */
const SCRIPT = `
'use strict';
const form = document.forms[0];
form.addEventListener('submit', (event) => {
  if (form.hasAttribute('action')) return;
  event.preventDefault();
  const paRes = event.submitter.value;
  parent.postMessage({ type: 'challenge', paRes, md: form.elements.md.value }, '*');
});
`;

/** The pages of the simulated issuers, which a payer's browser shows in a frame of the payment page. */
export const ISSUER_PAGES: readonly FormPage[] = [
  { path: CHALLENGE_PATH, renderForm: createChallengePage },
  { path: '/acquirer/device-data', renderForm: createDeviceDataPage },
];

/**
 * One button to pass and one to fail. The page posts the answer, `paRes` with the `md` that came, as a form to
 * `termUrl` if one came too, as issuers do it. Otherwise the parent page gets it as a message.
 */
function createChallengePage(form: URLSearchParams): PageContent {
  const termUrl = parseWebAddress(form.get('termUrl'));
  const action = termUrl === null ? '' : ` action="${escapeHtml(termUrl.href)}"`;
  const body = `<h1>The simulated bank asks: is it you?</h1>
<p>No card is charged in a sandbox.</p>
<form method="post"${action}>
<input type="hidden" name="md" value="${escapeHtml(form.get('md') ?? '')}">
<button name="paRes" value="${CHALLENGE_PASSED}">Pass</button>
<button name="paRes" value="${CHALLENGE_FAILED}">Fail</button>
</form>
<script>${SCRIPT}</script>`;
  return createExternalPage('The simulated bank', body, [
    `script-src '${computePolicyHash(SCRIPT)}'`,
    `form-action ${termUrl === null ? "'none'" : termUrl.origin}`,
  ]);
}

/** The simulated issuer does not use what a real issuer would collect here. */
function createDeviceDataPage(): PageContent {
  return createExternalPage('Device data', '<p>The simulated bank has seen this device.</p>', ["form-action 'none'"]);
}

function parseWebAddress(text: string | null): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return ['http:', 'https:'].includes(url.protocol) ? url : null;
}
