/** A line of a bill with the quantities of the till: decimals to the thousandth, negative for a void. */
export interface TillLine<M extends TillModifier> {
  readonly quantity: number;
  /** The price of one without its modifiers, in minor units. */
  readonly amountPerItem: bigint;
  /** The total of the line with its modifiers, as the till has rounded it; absent: it is computed. */
  readonly amountTotal?: bigint | undefined;
  readonly modifiers: readonly M[];
}

/** A modifier of a line; the quantity is per single item. */
export interface TillModifier {
  readonly quantity: number;
  readonly amountPerModifier: bigint;
}

/** The same line in the form of the contract, whose quantities are whole. */
export interface WholeLine<M extends TillModifier> {
  readonly quantity: number;
  readonly quantityThousandths: number | undefined;
  readonly amountPerItem: bigint;
  readonly modifiers: M[];
}

/**
 * Presents a line in whole quantities. Where a quantity has decimals, or the till's own total is another one than the
 * product, the whole line is one piece at its price: who multiplies gets the till's total exactly, and an old reader, too.
 */
export function toWholeLine<M extends TillModifier>({
  quantity,
  amountPerItem,
  amountTotal,
  modifiers,
}: TillLine<M>): WholeLine<M> {
  const one = modifiers.reduce(
    (price, modifier) => price + priceOf(modifier.amountPerModifier, [modifier.quantity]),
    amountPerItem,
  );
  const isWhole = [quantity, ...modifiers.map((modifier) => modifier.quantity)].every(Number.isInteger);
  if (isWhole && (amountTotal === undefined || amountTotal === one * BigInt(quantity))) {
    return { quantity, quantityThousandths: undefined, amountPerItem, modifiers: [...modifiers] };
  }
  const pieces = modifiers.map((modifier) => ({
    ...modifier,
    quantity: 1,
    amountPerModifier: priceOf(modifier.amountPerModifier, [quantity, modifier.quantity]),
  }));
  const ofModifiers = pieces.reduce((sum, { amountPerModifier }) => sum + amountPerModifier, 0n);
  return {
    quantity: 1,
    quantityThousandths: Number(toThousandths(quantity)),
    amountPerItem: amountTotal === undefined ? priceOf(amountPerItem, [quantity]) : amountTotal - ofModifiers,
    modifiers: pieces,
  };
}

/** The price of so many, to the nearest minor unit, halves away from zero. */
function priceOf(price: bigint, quantities: readonly number[]): bigint {
  const product = quantities.reduce((made, quantity) => made * toThousandths(quantity), price);
  const scale = 1_000n ** BigInt(quantities.length);
  const size = product < 0n ? -product : product;
  const rounded = (size * 2n + scale) / (scale * 2n);
  return product < 0n ? -rounded : rounded;
}

function toThousandths(quantity: number): bigint {
  return BigInt(Math.round(quantity * 1_000));
}
