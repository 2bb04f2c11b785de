import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toWholeLine } from './bill-quantities.js';

const line = (quantity: number, amountPerItem: bigint, amountTotal?: bigint) => ({
  ...{ quantity, amountPerItem, amountTotal },
  modifiers: [] as { quantity: number; amountPerModifier: bigint }[],
});

test.each([
  ['whole', line(2, 650n), { quantity: 2, quantityThousandths: undefined, amountPerItem: 650n }],
  ['void', line(-1, 650n), { quantity: -1, quantityThousandths: undefined, amountPerItem: 650n }],
  ['weighed', line(0.575, 1_290n), { quantity: 1, quantityThousandths: 575, amountPerItem: 742n }],
  ['half', line(0.5, 1_291n), { quantity: 1, quantityThousandths: 500, amountPerItem: 646n }],
  ['half of a void', line(-0.5, 1_291n), { quantity: 1, quantityThousandths: -500, amountPerItem: -646n }],
  ['rounded by the till', line(0.575, 1_290n, 741n), { quantity: 1, quantityThousandths: 575, amountPerItem: 741n }],
  ['three for ten', line(3, 400n, 1_000n), { quantity: 1, quantityThousandths: 3_000, amountPerItem: 1_000n }],
  ['the product as total', line(3, 400n, 1_200n), { quantity: 3, quantityThousandths: undefined, amountPerItem: 400n }],
])('a line that is %s', (_, tillLine, whole) => {
  expect(toWholeLine(tillLine)).toEqual({ ...whole, modifiers: [] });
});

test('modifiers of a weighed item are priced for the whole line', () => {
  const modifiers = [{ id: 'm', quantity: 2, amountPerModifier: 100n }];
  expect(toWholeLine({ quantity: 0.5, amountPerItem: 1_000n, modifiers })).toEqual({
    ...{ quantity: 1, quantityThousandths: 500, amountPerItem: 500n },
    modifiers: [{ id: 'm', quantity: 1, amountPerModifier: 100n }],
  });
});

test('who multiplies a line gets the total of the till exactly', () => {
  const modifier = fc.record({
    quantity: fc.integer({ min: -3_000, max: 3_000 }).map((thousandths) => thousandths / 1_000),
    amountPerModifier: fc.bigInt({ min: -10_000n, max: 10_000n }),
  });
  fc.assert(
    fc.property(
      fc.record({
        quantity: fc.integer({ min: -9_000, max: 9_000 }).map((thousandths) => thousandths / 1_000),
        amountPerItem: fc.bigInt({ min: -100_000n, max: 100_000n }),
        amountTotal: fc.bigInt({ min: -900_000n, max: 900_000n }),
        modifiers: fc.array(modifier, { maxLength: 4 }),
      }),
      (tillLine) => {
        const whole = toWholeLine(tillLine);
        const one = whole.modifiers.reduce(
          (sum, each) => sum + each.amountPerModifier * BigInt(each.quantity),
          whole.amountPerItem,
        );
        expect(one * BigInt(whole.quantity)).toBe(tillLine.amountTotal);
      },
    ),
    { seed: 1 },
  );
});
