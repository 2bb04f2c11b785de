import type { Capabilities } from '@pos/grpc-contracts/acquirer';
import type { Flow, Stage } from '../scene/flow.js';
import { checkReceived, describeAnswer } from '../steps/answers.js';

const NAME_LENGTH_MAX = 64;

/** What the adapter declares. Flows that need a capability which is not declared are skipped. */
export const CAPABILITY_FLOWS: readonly Flow[] = [
  {
    name: 'capabilities',
    tests: 'the adapter declares what it can do',
    needs: [],
    play: async ({ scene, step }) => {
      await step('get', async (stage) => {
        const answer = await scene.connection.getCapabilities();
        checkReceived(stage, { method: 'GetCapabilities', reference: '' }, answer);
        const isOlder = answer.kind === 'status' && answer.status === 'UNIMPLEMENTED';
        stage.step.require(isOlder || (answer.kind === 'content' && answer.content !== null), {
          ...{ clause: 'capabilities.answered', member: 'GetCapabilities', expected: 'capabilities or UNIMPLEMENTED' },
          found: describeAnswer(answer),
        });
        if (answer.kind === 'content' && answer.content !== null) checkWellFormed(stage, answer.content);
      });
    },
  },
];

function checkWellFormed({ step }: Stage, capabilities: Capabilities): void {
  const { adapterName, adapterVersion, currencies, cardSchemes } = capabilities;
  const clause = 'capabilities.well-formed';
  const isNamed = adapterName.length >= 1 && adapterName.length <= NAME_LENGTH_MAX;
  step.check(isNamed, { clause, member: 'adapter_name', expected: '1 to 64 characters', found: adapterName });
  step.check(adapterVersion.length <= NAME_LENGTH_MAX, {
    ...{ clause, member: 'adapter_version', expected: 'at most 64 characters', found: adapterVersion.length },
  });
  for (const [member, pattern, texts] of [
    ['currencies', /^[A-Z]{3}$/, currencies],
    ['card_schemes', /^[A-Z]+$/, cardSchemes],
  ] as const) {
    const wrong = texts.find((text) => !pattern.test(text));
    step.check(wrong === undefined, { clause, member, expected: 'names in capital letters', found: wrong ?? 'names' });
  }
  for (const member of ['refundWindow', 'notFoundFinalAfter', 'inquiryHorizon'] as const) {
    const span = capabilities[member];
    if (span === undefined) continue;
    step.check(span.seconds > 0n || (span.seconds === 0n && span.nanos > 0), {
      ...{ clause, member, expected: 'a span above 0', found: `${span.seconds} s` },
    });
  }
}
