import type { Page } from 'playwright-core';

// Answers of the portal that a screenshot needs and that no simple seed leads to.

const HUGE = { value: 9_876_543_210, currencyCode: 'JPY' };
const LARGE = { value: 1_234_567_890, currencyCode: 'GBP' };
const LONG_NAME = 'Hospitality Software and Table Service Partners of the Old Harbour Ltd';
const MOMENTS = { createdAt: '2026-03-01T12:00:00.000Z', updatedAt: '2026-03-01T12:00:00.000Z' };

/** Partners with long names and large turnovers in two currencies. */
export async function answerPartners(page: Page): Promise<void> {
  const partner = { kind: 'software-house', partnerId: 'Till Makers', name: LONG_NAME, status: 'Active' };
  const named = { id: 'Till Makers', contact: 'service@a-very-long-domain-of-till-makers.example' };
  await answer(page, '**/portal/administration/partners', {
    isEnforced: true,
    partners: [
      { kind: 'software-house', name: LONG_NAME, status: 'Active', ...named, ...MOMENTS },
      { kind: 'reseller', id: 'R-7', name: 'Riverside Resellers', status: 'Retired', ...MOMENTS },
    ],
  });
  await answer(page, '**/portal/administration/partners/report**', [
    { ...partner, paymentCount: 1_234_567, taken: HUGE, refundCount: 3, returned: HUGE, net: HUGE },
    { ...partner, paymentCount: 91, taken: LARGE, refundCount: 0, returned: { ...LARGE, value: 0 }, net: LARGE },
    { kind: 'reseller', paymentCount: 2, taken: LARGE, refundCount: 1, returned: LARGE, net: { ...LARGE, value: 0 } },
  ]);
}

/** Requests for a second person in every state. */
export async function answerApprovals(page: Page): Promise<void> {
  const request = {
    ...{ operationId: 'refundPaymentIntent', paymentIntentId: 'pi_AaH8KwlxavakGwZZljrhYw', amount: LARGE },
    ...{ body: '{"amount":1234567890,"reason":"the whole party was charged twice"}', requestedBy: 'Ann Lee' },
    ...{ requestedAt: '2026-03-01T12:00:00.000Z', expiresAt: '2026-03-02T12:00:00.000Z', canDecide: true },
  };
  const decided = { decidedBy: 'Bob Quick', decisionReason: 'seen the receipt, and called the guest about the card' };
  await answer(page, '**/portal/second-person**', {
    requests: [
      { ...request, id: '1', state: 'Waiting' },
      { ...request, id: '2', state: 'Waiting', canDecide: false, operationId: 'reversePaymentIntent' },
      { ...request, ...decided, id: '3', state: 'Approved', amount: HUGE, operationId: 'createTerminalSession' },
      { ...request, ...decided, id: '4', state: 'Done' },
      { ...request, ...decided, id: '5', state: 'Failed', outcomeReason: 'payment_intent_is_deposit' },
      { ...request, ...decided, id: '6', state: 'Refused', operationId: 'resolvePendingPayment' },
      { ...request, id: '7', state: 'Expired' },
    ],
    ...{ before: null, after: 'older' },
  });
}

/** The user needs a second factor to work in the account, and has none. */
export async function answerMissingFactor(page: Page): Promise<void> {
  await page.addInitScript(`{
    const send = window.fetch;
    window.fetch = async (...request) => {
      const response = await send(...request);
      if (!String(request[0]).endsWith('/portal/session')) return response;
      return Response.json({ ...(await response.json()), isSecondFactorMissing: true });
    };
  }`);
}

/** The password was right, and the second factor is asked for. */
export async function answerSecondStep(page: Page): Promise<void> {
  await page.route('**/portal/session', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fulfill({ json: { secondFactor: { passkey: true, code: true, recoveryCode: true } } });
  });
}

async function answer(page: Page, address: string, json: unknown): Promise<void> {
  await page.route(address, (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.fulfill({ json }),
  );
}
