import type { Stage } from '../scene/flow.js';
import { newReversal, sendReversal } from './reversals.js';
import { describeAnswer } from './answers.js';

/** Gives up what the flow still holds, so that a test account does not fill with holds. */
export async function releaseHolds(stage: Stage): Promise<void> {
  for (const { reference } of stage.scene.books.listOpenHolds()) {
    const answer = await sendReversal(stage, newReversal(stage, reference));
    stage.step.note(`the hold of ${reference} was given up: ${describeAnswer(answer)}`);
  }
}
