import type { WorldClock } from './clock.js';
import { ReferenceEpos } from './epos.js';
import { EposData } from './epos-data.js';
import { EposDoor } from './epos-door.js';
import type { IntentReader } from './intent-reader.js';
import { Restaurant } from './restaurant.js';
import type { Seed } from './seed.js';

/** What a restaurant is opened with. */
export interface House {
  readonly seed: Seed;
  readonly clock: WorldClock;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly merchantName: string;
  readonly needsLocks: boolean;
  readonly readIntent: IntentReader | null;
}

/** Opens a restaurant with its EPOS, which speaks both contracts. */
export function openHouse({ currencyCode, ...house }: House): EposDoor {
  const { seed, accountId, clock } = house;
  const restaurant = new Restaurant({ seed, accountId, currencyCode, clock });
  const epos = new ReferenceEpos({ restaurant, clock });
  return new EposDoor({ epos, data: new EposData({ ...house, epos }), clock });
}
