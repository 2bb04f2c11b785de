import type { AcquirerSwitches } from '@pos/rest-contracts/sandbox';
import type { AcquirerRule, AcquirerRuleSet } from './acquirer-rules.js';

const SLOW_MS = 3_000;

type SwitchRule = Omit<AcquirerRule, 'match'> & { readonly match: Pick<AcquirerRule['match'], 'kind'> };

/** The rule of each switch. A reply is lost once, and then the switch is off. */
const SWITCH_RULES: Readonly<Record<keyof AcquirerSwitches, SwitchRule>> = {
  declines: { match: { kind: 'Authorise' }, effect: 'decline' },
  isSlow: { match: {}, effect: 'delay', delayMs: SLOW_MS },
  isSilent: { match: {}, effect: 'down' },
  losesReply: { match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 },
};
const SWITCH_NAMES = Object.keys(SWITCH_RULES) as readonly (keyof AcquirerSwitches)[];

/** Replaces the rules of one merchant number by those of the switches that are on. */
export function setAcquirerSwitches(rules: AcquirerRuleSet, merchantId: string, switches: AcquirerSwitches): void {
  const chosen = SWITCH_NAMES.filter((name) => switches[name]).map((name) => SWITCH_RULES[name]);
  rules.replaceRulesOf(
    merchantId,
    chosen.map((rule) => ({ ...rule, match: { ...rule.match, merchantId } })),
  );
}

/** Which switches of a merchant number are on. */
export function readAcquirerSwitches(rules: AcquirerRuleSet, merchantId: string): AcquirerSwitches {
  const active = rules
    .listRules()
    .filter(({ match, times, used }) => match.merchantId === merchantId && (times === undefined || used < times));
  const isOn = (name: keyof AcquirerSwitches): boolean =>
    active.some(
      ({ effect, match }) => effect === SWITCH_RULES[name].effect && match.kind === SWITCH_RULES[name].match.kind,
    );
  return {
    declines: isOn('declines'),
    isSlow: isOn('isSlow'),
    isSilent: isOn('isSilent'),
    losesReply: isOn('losesReply'),
  };
}
