import { expect, test } from '@jest/globals';
import { type ItemLine, computeSubtotal, type TaxLine } from './intent-details.js';
import { gbp } from '../testing/builders.js';

const burgers: ItemLine = {
  quantity: 2,
  amountTotal: gbp(2400),
  modifiers: [
    { id: 'cheese', name: 'Extra cheese', quantity: 3, amountPerModifier: gbp(50) },
    { id: 'lunch', name: 'Lunch offer', quantity: 1, amountPerModifier: gbp(-200) },
  ],
};
const water: ItemLine = { quantity: 1, amountTotal: gbp(300), modifiers: [] };
const vat: TaxLine = { amountTotal: gbp(540) };

test.each<[string, ItemLine[], TaxLine[], number | null]>([
  ['no lines', [], [], null],
  ['taxes alone', [], [vat], null],
  ['a line', [water], [], 300],
  // 2400 + 2 burgers x 3 slices x 50 - 2 burgers x 200
  ['modifiers, which count per single item', [burgers], [], 2300],
  ['lines and taxes', [burgers, water], [vat], 3140],
])('the subtotal of %s', (_, itemLines, taxLines, expected) => {
  expect(computeSubtotal({ itemLines, taxLines }, 'GBP')?.value ?? null).toBe(expected);
});
