import type { Flow } from '../scene/flow.js';
import { AUTHORISING_FLOWS } from './authorising.js';
import { CAPABILITY_FLOWS } from './capabilities.js';
import { CAPTURING_FLOWS } from './capturing.js';
import { CHALLENGING_FLOWS } from './challenging.js';
import { CONTRACT_FLOWS } from './contract.js';
import { LATE_FLOWS } from './late-decisions.js';
import { LISTING_FLOWS } from './listing.js';
import { LOAD_FLOWS } from './load.js';
import { REFUNDING_FLOWS } from './refunding.js';
import { REPEATING_FLOWS } from './repeating.js';
import { REVERSING_FLOWS } from './reversing.js';
import { UNDECLARED_FLOWS } from './undeclared.js';

/** Every flow, in the recommended order. */
export const FLOWS: readonly Flow[] = [
  ...[...CAPABILITY_FLOWS, ...AUTHORISING_FLOWS, ...REPEATING_FLOWS, ...LATE_FLOWS, ...LOAD_FLOWS],
  ...[...CAPTURING_FLOWS, ...REFUNDING_FLOWS, ...REVERSING_FLOWS, ...CHALLENGING_FLOWS],
  ...[...CONTRACT_FLOWS, ...LISTING_FLOWS, ...UNDECLARED_FLOWS],
];
