import { describeRepeat, findRepeatRule, PROBLEM_REASONS, type RepeatRule } from '@pos/rest-contracts/problems';

/** The rules whose reasons are listed; every other reason follows the last one. */
const LISTED: readonly RepeatRule[] = ['afterWait', 'sameKey', 'newKey'];

/** The table of reasons after which a request may be repeated, and how. */
export function renderRepeatRules(): string {
  const rows = LISTED.map((rule) => {
    const reasons = PROBLEM_REASONS.filter((reason) => findRepeatRule(reason) === rule);
    const [first] = reasons;
    if (first === undefined) throw new Error(`no reason follows the rule ${rule}`);
    return `| ${reasons.map((reason) => `\`${reason}\``).join(', ')} | ${describeRepeat(first)} |`;
  });
  const rest = `| every other reason | ${describeRepeat('validation_failed')} |`;
  return `| reason | may the request be repeated? |\n|---|---|\n${[...rows, rest].join('\n')}\n`;
}
