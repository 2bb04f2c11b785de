import { describe, expect, test } from '@jest/globals';
import { chooseGiveBack, type GiveBackCall, type GiveBackPosition } from './give-back.js';

const open = (reference: string): GiveBackCall => ({ reference, kind: 'Refund', state: 'Unknown', outcome: null });
const ended = (reference: string, outcome: 'Approved' | 'Declined'): GiveBackCall => ({
  ...{ reference, kind: 'Refund', state: 'Settled', outcome },
});
const no = (reference: string) => ended(reference, 'Declined');

const position = (more: Partial<GiveBackPosition>): GiveBackPosition => ({
  ...{ base: 'gb', way: 'refund', calls: [], reversalUnderWay: null, asked: [], ...more },
});

describe('the next move of giving back', () => {
  test.each<[string, Partial<GiveBackPosition>, string]>([
    ['at first, where it may be reversed', { way: 'reversal' }, 'begin rv-gb'],
    ['at first, of a hold', { way: 'release' }, 'begin rv-gb'],
    ['at first, where it may be refunded', {}, 'begin gb'],
    ['a reversal has no answer', { way: 'reversal', calls: [open('rv-gb')] }, 'ask rv-gb'],
    ['a reversal has no answer, and its day has ended', { calls: [open('rv-gb')] }, 'ask rv-gb'],
    ['a refund has no answer', { calls: [open('gb')] }, 'ask gb'],
    ['another request reverses it', { calls: [open('rv_1')], reversalUnderWay: 'rv_1' }, 'ask rv_1'],
    ['a call of another request has no answer', { calls: [open('rf_1')] }, 'begin gb'],
    ['the reversal was refused', { way: 'reversal', calls: [no('rv-gb')], asked: ['rv-gb'] }, 'begin gb'],
    ['the reversal of a hold was just refused', { way: 'release', calls: [no('rv-gb')], asked: ['rv-gb'] }, 'refused'],
    ['the reversal of a hold was refused before', { way: 'release', calls: [no('rv-gb')] }, 'begin rv-gb-2'],
    ['a refund was just refused', { calls: [no('gb')], asked: ['gb'] }, 'refused'],
    ['a refund was refused in an earlier round', { calls: [no('gb')] }, 'begin gb-2'],
    ['refused once, and open under the next', { calls: [no('gb'), open('gb-2')] }, 'ask gb-2'],
    ['refused twice, just now', { calls: [no('gb'), no('gb-2')], asked: ['gb-2'] }, 'refused'],
    ['refused twice', { calls: [no('gb'), no('gb-2')] }, 'begin gb-3'],
    ['refused once, then done', { calls: [no('gb'), ended('gb-2', 'Approved')] }, 'givenBack'],
    ['the reversal was done', { way: 'reversal', calls: [ended('rv-gb', 'Approved')] }, 'givenBack'],
    [
      'it was refused sixty times',
      { calls: Array.from({ length: 60 }, (_, index) => no(index === 0 ? 'gb' : `gb-${index + 1}`)) },
      'refused',
    ],
  ])('%s', (_, more, then) => {
    const move = chooseGiveBack(position(more));
    expect(move.do === 'end' ? move.outcome : `${move.do} ${move.reference}`).toBe(then);
  });
});
