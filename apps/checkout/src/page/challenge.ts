import type { PaymentResult } from '@pos/rest-contracts/card-vault/client-payments';
import { showFrameDialog } from './frame-dialog.js';

/** What is told in the issuer's place when the payer closed its page; no issuer says it, so the try is declined. */
const CHALLENGE_CLOSED = 'closed-by-payer';

/** Shows the issuer's page until it says how the payer did, or the payer closes it. */
export async function showChallenge({ stepUpUrl = '', paReq = '', md = '' }: PaymentResult): Promise<string> {
  const dialogOptions = {
    ...{ title: "Your bank's page", label: 'Your bank asks for a confirmation' },
    ...{ address: stepUpUrl, members: { paReq, md }, closing: 'Stop and do not pay' },
  };
  return (await showFrameDialog(dialogOptions, (data) => readChallengeAnswer(data, md))) ?? CHALLENGE_CLOSED;
}

/** An answer about another challenge is none. */
function readChallengeAnswer(data: unknown, md: string): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'challenge') return null;
  if (!('md' in data) || data.md !== md || !('paRes' in data) || typeof data.paRes !== 'string') return null;
  return data.paRes === '' ? null : data.paRes;
}
