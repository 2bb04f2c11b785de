/** The `paRes` of the issuer's page after the payer pressed its button to pass. */
export const CHALLENGE_PASSED = 'Y';
/** The `paRes` of the button to fail. Every value except `CHALLENGE_PASSED` fails. */
export const CHALLENGE_FAILED = 'N';
