/** The `paRes` of the issuer's page when the payer pressed its button to pass. */
export const CHALLENGE_PASSED = 'Y';
/** The `paRes` of its other button; whatever is not the first fails. */
export const CHALLENGE_FAILED = 'N';
