/** The exit codes of a tester. */
export const EXITS = { asExpected: 0, deviation: 1, usage: 2, notStarted: 3 } as const;
export type Exit = (typeof EXITS)[keyof typeof EXITS];
