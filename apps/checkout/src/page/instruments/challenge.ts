import type { PaymentResult } from '@pos/rest-contracts/card-vault';
import { getText } from '../texts/texts.js';
import { showFrameDialog } from './frame-dialog.js';

/** Sent in place of the issuer's answer when the payer closed its page. No issuer sends it, so the try is declined. */
export const CHALLENGE_CLOSED = 'closed-by-payer';

/** Shows the issuer's page until it sends its answer, or until the payer closes it. */
export async function showChallenge(
  { stepUpUrl = '', paReq = '', md = '' }: PaymentResult,
  payment: string,
): Promise<string> {
  const dialogOptions = {
    ...{ title: getText('dialogBankFrame'), heading: getText('dialogBank'), payment },
    ...{ address: stepUpUrl, members: { paReq, md }, closing: getText('dialogStop') },
  };
  return (await showFrameDialog(dialogOptions, (data) => readChallengeAnswer(data, md))) ?? CHALLENGE_CLOSED;
}

/** Ignores an answer to another challenge. */
function readChallengeAnswer(data: unknown, md: string): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'challenge') return null;
  if (!('md' in data) || data.md !== md || !('paRes' in data) || typeof data.paRes !== 'string') return null;
  return data.paRes === '' ? null : data.paRes;
}
