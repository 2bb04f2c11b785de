import type { House, Stage } from '../e2e/stage.js';

/** Something that happens to the service, and what has to be true after it; rejects when it is not. */
export interface Story {
  /** A sentence about the business. */
  readonly says: string;
  /** What took place on a restaurant's stage; the books are compared by whoever has it told. */
  readonly tell: (stage: Stage, house: House) => Promise<void>;
}

/** Tells a story at a house, and then sees that acquirer, EPOS, our rows and the webhooks all say the same. */
export async function tell(story: Story, stage: Stage, house: House): Promise<void> {
  try {
    await story.tell(stage, house);
  } finally {
    await stage.calm(house);
  }
  const faults = await stage.reckon(house);
  if (faults.length > 0) throw new Error(`the books disagree:\n  ${faults.join('\n  ')}`);
}
