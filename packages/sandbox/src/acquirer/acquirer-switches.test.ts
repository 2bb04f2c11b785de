import { expect, test } from '@jest/globals';
import { AcquirerRuleSet, type IncomingAcquirerCall } from './acquirer-rules.js';
import { readAcquirerSwitches, setAcquirerSwitches } from './acquirer-switches.js';

const OFF = { declines: false, isSlow: false, isSilent: false, losesReply: false };

function createCall(merchantId: string, kind: IncomingAcquirerCall['kind'] = 'Authorise'): IncomingAcquirerCall {
  return { kind, merchantId, reference: 'ref', originalReference: null, terminalId: null, amount: 100 };
}

test('switches act on the calls of their merchant only', () => {
  const rules = new AcquirerRuleSet();
  setAcquirerSwitches(rules, 'm1', { ...OFF, declines: true, isSilent: true });
  expect(rules.applyRules(createCall('m1'))).toMatchObject({ isDown: true, verdict: { outcome: 'Declined' } });
  expect(rules.applyRules(createCall('m2'))).toMatchObject({ isDown: false, verdict: null });
  expect(readAcquirerSwitches(rules, 'm2')).toEqual(OFF);
});

test('switches replace no rules of others, and do not reset their use', () => {
  const rules = new AcquirerRuleSet();
  rules.replaceRules([{ match: { merchantId: 'm2' }, effect: 'down', times: 1 }]);
  rules.applyRules(createCall('m2'));
  setAcquirerSwitches(rules, 'm1', { ...OFF, isSlow: true });
  setAcquirerSwitches(rules, 'm1', OFF);
  expect(rules.listRules()).toEqual([{ match: { merchantId: 'm2' }, effect: 'down', times: 1, used: 1 }]);
});

test('declines do not act on reversals and captures', () => {
  const rules = new AcquirerRuleSet();
  setAcquirerSwitches(rules, 'm1', { ...OFF, declines: true });
  for (const kind of ['Reverse', 'Capture', 'Refund'] as const)
    expect(rules.applyRules(createCall('m1', kind)).verdict).toBeNull();
});

test('a reply is lost once, and then the switch is off', () => {
  const rules = new AcquirerRuleSet();
  setAcquirerSwitches(rules, 'm1', { ...OFF, losesReply: true });
  expect(readAcquirerSwitches(rules, 'm1')).toEqual({ ...OFF, losesReply: true });
  expect(rules.applyRules(createCall('m1')).isAnswerDropped).toBe(true);
  expect(rules.applyRules(createCall('m1')).isAnswerDropped).toBe(false);
  expect(readAcquirerSwitches(rules, 'm1')).toEqual(OFF);
});
