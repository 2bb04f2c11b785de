/** How a call that the EPOS did not answer is named in a report. */
export const MISSING_ANSWERS = {
  credentialsRefused: 'refused credentials',
  notSent: 'not sent',
  noAnswer: 'no answer',
  unreadable: 'an answer that cannot be read',
} as const;
