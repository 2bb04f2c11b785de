import type { SimulationClock } from '../clock/simulation-clock.js';
import { ReferenceEpos } from '../epos/reference-epos.js';
import { EposDataApi } from '../epos-data/epos-data-api.js';
import { EposSimulator } from './epos-simulator.js';
import { EposStateFile } from './epos-state-file.js';
import type { IntentReader } from '../epos-data/intent-reader.js';
import { Restaurant } from '../restaurant/restaurant.js';
import type { Seed } from '../clock/seed.js';

/** The settings of a restaurant. */
export interface RestaurantEposOptions {
  readonly seed: Seed;
  readonly clock: SimulationClock;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly merchantName: string;
  readonly needsLocks: boolean;
  readonly readIntent: IntentReader | null;
  /** Folder where the EPOS stores its state for the next start. Left out, or null: the state is lost. */
  readonly stateFolder?: string | null;
}

/** Opens a restaurant with its EPOS, which implements both contracts. Throws when its stored state cannot be read. */
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
