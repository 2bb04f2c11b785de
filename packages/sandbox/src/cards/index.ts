// Test cards and test amounts, simulated wallet tokens, and answers to 3-D Secure challenges.
export { CARD_RESULTS, type CardBehaviour, createFreshNumber, TEST_CARDS, type TestCard } from './test-cards.js';
export { AMOUNT_RESULTS, type AmountTrigger, findAmountTrigger } from './amount-trigger.js';
export { createWalletToken } from './wallet-token.js';
export { CHALLENGE_FAILED, CHALLENGE_PASSED } from './challenge-answer.js';
