/** Every number that may be used in the sandbox; the sandbox defines the behaviour of each. */
export const TEST_NUMBERS = [
  '5200000000001005',
  '5200000000001096',
  '4456530000001013',
  '4456530000001096',
  '5200000000001070',
  '4456530000000007',
  '5200000000000056',
  '4456530000091014',
  '374000000009108',
  '4456530000091022',
  '4456530000091030',
  '4456530000091048',
  '4456530000091055',
  '4456530000091063',
  '4456530000091071',
  '4456530000091089',
  '5200000000091014',
] as const;
export type TestNumber = (typeof TEST_NUMBERS)[number];

/** Well-known example numbers; the sandbox declines them. */
export const EXAMPLE_NUMBERS = [
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '3530111333300000',
  '38520000023237',
] as const;
