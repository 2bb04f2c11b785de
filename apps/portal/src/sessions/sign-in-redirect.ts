import { SIGN_IN_PROBLEM, type SignInProblem } from '@pos/rest-contracts/portal';
import type { FastifyReply } from 'fastify';

/** Leads a browser to the sign-in page, which says what went wrong. */
export async function redirectToSignIn(
  reply: FastifyReply,
  problem: SignInProblem,
  cookies: readonly string[],
): Promise<void> {
  const location = `/?${SIGN_IN_PROBLEM}=${problem}`;
  await reply
    .status(303)
    .headers({ location, 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) })
    .send();
}
