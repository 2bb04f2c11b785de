import type { PaymentResult } from '@pos/rest-contracts/client-payments';
import { askInFrame } from './frame-dialog.js';

/** What is told in the issuer's place when the payer closed its page; no issuer says it, so the try is declined. */
const CHALLENGE_CLOSED = 'closed-by-payer';

/** Shows the issuer's page until it says how the payer did, or the payer closes it. */
export async function askIssuer({ stepUpUrl = '', paReq = '', md = '' }: PaymentResult): Promise<string> {
  const asked = {
    ...{ title: "Your bank's page", label: 'Your bank asks for a confirmation' },
    ...{ address: stepUpUrl, members: { paReq, md }, closing: 'Stop and do not pay' },
  };
  return (await askInFrame(asked, (data) => answerIn(data, md))) ?? CHALLENGE_CLOSED;
}

/** An answer about another challenge is none. */
function answerIn(data: unknown, md: string): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'challenge') return null;
  if (!('md' in data) || data.md !== md || !('paRes' in data) || typeof data.paRes !== 'string') return null;
  return data.paRes === '' ? null : data.paRes;
}
