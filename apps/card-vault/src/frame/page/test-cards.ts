interface TestCard {
  readonly number: string;
  readonly code: string;
}

/** Cards of the sandbox that a page may name; production declines them. The page itself never has their numbers. */
export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  approved: { number: '4456530000091014', code: '020' },
  amex: { number: '374000000009108', code: '1234' },
  challenge: { number: '4456530000001096', code: '020' },
  declined: { number: '4456530000001013', code: '341' },
  failed: { number: '4456530000091030', code: '020' },
};

export const TEST_NAME = 'Test Payer';
