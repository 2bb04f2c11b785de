import type { Tone } from '@pos/web-ui/components';
import type { ActivityAnswer } from '../client/answers.js';

type Outcome = NonNullable<ActivityAnswer['outcome']>;

/** The colour of the badge of an outcome in the activity log. */
export const OUTCOME_TONES: Readonly<Record<Outcome, Tone>> = {
  Succeeded: 'positive',
  Refused: 'attention',
  Failed: 'negative',
};

/** The colour of the point of a step; a success has none of its own. */
export const POINT_TONES: Readonly<Record<Outcome, 'attention' | 'negative' | undefined>> = {
  Succeeded: undefined,
  Refused: 'attention',
  Failed: 'negative',
};
