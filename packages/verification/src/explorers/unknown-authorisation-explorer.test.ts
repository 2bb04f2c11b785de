import { expect, test } from '@jest/globals';
import {
  exploreUnknownAuthorisation,
  UNKNOWN_RULES,
  type UnknownRules,
  type UnknownVariant,
} from './unknown-authorisation-explorer.js';

/** Without a declared horizon nothing is deleted, and without a declared end "not found" is never final: an alarm comes. */
const VARIANTS: readonly UnknownVariant[] = [true, false].flatMap((isReversalRefused) => [
  { name: 'both declared', isFinalDeclared: true, isHorizonDeclared: true, isReversalRefused },
  { name: 'no horizon', isFinalDeclared: true, isHorizonDeclared: false, isReversalRefused },
  { name: 'never final', isFinalDeclared: false, isHorizonDeclared: true, isReversalRefused },
]);

function exploreAll(rules: UnknownRules): { states: number; violations: string[] } {
  const explored = VARIANTS.map((variant) => ({ variant, ...exploreUnknownAuthorisation(rules, variant) }));
  return {
    states: explored.reduce((sum, { states }) => sum + states, 0),
    violations: explored.flatMap(({ variant, violations }) => violations.map((each) => `${variant.name}: ${each}`)),
  };
}

test('an authorisation that is given up ends as the acquirer has it, or with an alarm', () => {
  const { states, violations } = exploreAll(UNKNOWN_RULES);
  process.stdout.write(`explored ${states} states of unknown authorisations, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(80);
});

const { evaluateRefusedReversal: evaluate, isNotFoundFinal: isFinal } = UNKNOWN_RULES;

test.each<[string, Partial<UnknownRules>, RegExp]>([
  [
    'every "not found" is final',
    { isNotFoundFinal: () => true },
    /both declared: closed, and the authorisation may still arrive/,
  ],
  [
    '"not found" ends the authorisation at once',
    { evaluateRefusedReversal: (original) => evaluate(original, { isNotFoundFinal: true }) },
    /closed, and the authorisation may still arrive/,
  ],
  [
    '"not found" is final after the acquirer has deleted the reference',
    {
      isNotFoundFinal: (declared, age) => isFinal({ ...declared, inquiryHorizonMs: null }, age),
    },
    /closed, and the acquirer has the money of the payer/,
  ],
  [
    '"not found" is final where the acquirer never declared that',
    { isNotFoundFinal: (declared, age) => isFinal({ ...declared, notFoundFinalAfterMs: 0 }, age) },
    /never final: closed, and the authorisation may still arrive/,
  ],
  ['a deleted reference raises no alarm', { isForgotten: () => false }, /deleted by the acquirer without an alarm/],
  ['"not found" is never final', { isNotFoundFinal: () => false }, /no horizon: no way out/],
  [
    'a taken authorisation is over because its reversal was refused',
    {
      evaluateRefusedReversal: (original, facts) =>
        original.outcome === 'approved' ? { kind: 'nothingTaken' } : evaluate(original, facts),
    },
    /closed, and the acquirer has the money of the payer/,
  ],
  [
    'an inquiry without an answer counts as "not found"',
    {
      evaluateRefusedReversal: (original, facts) =>
        original.outcome === 'unknown' ? { kind: 'nothingTaken' } : evaluate(original, facts),
    },
    /closed, and the (acquirer has the money|authorisation may still arrive)/,
  ],
])('the explorer finds a planted bug: %s', (_, planted, problem) => {
  expect(exploreAll({ ...UNKNOWN_RULES, ...planted }).violations.join('\n')).toMatch(problem);
});
