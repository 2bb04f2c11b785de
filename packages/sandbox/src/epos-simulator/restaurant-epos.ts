import type { SimulationClock } from '../clock/simulation-clock.js';
import { ReferenceEpos } from '../epos/reference-epos.js';
import { EposDataApi } from '../epos-data/epos-data-api.js';
import { EposSimulator } from './epos-simulator.js';
import { EposStateFile } from './epos-state-file.js';
import type { IntentReader } from '../epos-data/intent-reader.js';
import { Restaurant } from '../restaurant/restaurant.js';
import type { Seed } from '../clock/seed.js';

/** What a restaurant is opened with. */
export interface RestaurantEposOptions {
  readonly seed: Seed;
  readonly clock: SimulationClock;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly merchantName: string;
  readonly needsLocks: boolean;
  readonly readIntent: IntentReader | null;
  /** Folder in which the EPOS keeps what it knows over a restart; left out, or null: it forgets. */
  readonly stateFolder?: string | null;
}

/** Opens a restaurant with its EPOS, which speaks both contracts. Throws when what it kept cannot be read. */
export function openRestaurantEpos({
  currencyCode,
  stateFolder = null,
  ...house
}: RestaurantEposOptions): EposSimulator {
  const { seed, accountId, clock } = house;
  const restaurant = new Restaurant({ seed, accountId, currencyCode, clock });
  const epos = new ReferenceEpos({ restaurant, clock });
  const file = stateFolder === null ? null : new EposStateFile(stateFolder, accountId);
  return new EposSimulator({ epos, data: new EposDataApi({ ...house, epos }), clock, file });
}
