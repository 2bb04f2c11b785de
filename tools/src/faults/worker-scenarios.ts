import assert from 'node:assert/strict';
import { WORKERS } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';
import type { FaultScenario } from './scenario.js';

function runWithWorkerKilled(point: 'webhook.before-send' | 'webhook.after-send', nth: number): FaultScenario {
  const when = point === 'webhook.before-send' ? 'before it sends a webhook' : 'after it has sent one, unnoticed';
  return {
    says: `a worker is killed ${when}, and so is the next one`,
    arms: async () => ({ names: WORKERS, point: `${point}:${nth}` }),
    async run(stage, house) {
      const before = stage.receiver.hooks.length;
      const ends = await stage.restartKilled(async () => {
        const table = await TestTable.begin(stage, house);
        assert.equal((await table.pay(1_250)).ending, 'Recorded');
        await stage.untilHooksAreOut(house);
      });
      assert.ok(ends > 0, `no worker passed ${point}`);
      const ids = stage.receiver.hooks.slice(before).map(({ id }) => id);
      const repeats = ids.length - new Set(ids).size;
      if (point === 'webhook.after-send') assert.ok(repeats > 0, 'what was sent and not noted is sent again');
      else assert.equal(repeats, 0);
    },
  };
}

const RECEIVER_REFUSES: FaultScenario = {
  says: 'the receiver refuses for a while: the webhooks of a session still arrive in order',
  async run(stage, house) {
    stage.receiver.refuseNext(3);
    const table = await TestTable.begin(stage, house);
    assert.equal((await table.pay(1_150)).ending, 'Recorded');
    await stage.untilHooksAreOut(house);
    assert.equal(stage.receiver.refusalsLeft, 0);
  },
};

/** All faults during the delivery of webhooks. */
export const WORKER_SCENARIOS: readonly FaultScenario[] = [
  runWithWorkerKilled('webhook.after-send', 3),
  RECEIVER_REFUSES,
  runWithWorkerKilled('webhook.before-send', 2),
];
