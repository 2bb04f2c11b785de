import type { EposDataCallName } from './epos-data.js';
import { isMembers, type Members } from '../shapes/reshape.js';

/**
 * The members of a call in the form of both transports. The price of a modifier of a new order is written under both of
 * its names, because some EPOSes read one and some the other.
 */
export function formatParams(name: EposDataCallName, params: Members): Members {
  if (name !== 'CreateOrder') return params;
  return withList(params, 'items', (item) => withList(withModifiers(item), 'subItems', withModifiers));
}

function withModifiers(item: Members): Members {
  return withList(item, 'modifiers', (modifier) => {
    const price = modifier['amountPerItem'] ?? modifier['amountPerModifier'];
    return price === undefined ? modifier : { ...modifier, amountPerItem: price, amountPerModifier: price };
  });
}

function withList(members: Members, name: string, change: (element: Members) => Members): Members {
  const list = members[name];
  if (!Array.isArray(list)) return members;
  return { ...members, [name]: (list as readonly unknown[]).map((each) => (isMembers(each) ? change(each) : each)) };
}
