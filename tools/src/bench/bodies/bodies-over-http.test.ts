import { LATEST_RELEASE } from '@pos/rest-contracts/versions/versions';
import { listBodyOperations } from './body-operations.js';
import { testLargeBodies } from './body-cases.js';
import { FULL, TOO_MANY, UNKNOWN_MEMBERS } from './worst-bodies.js';

// The short form of `pnpm bench:bodies`. The long test beside it has all bodies and the oldest release.
const operations = listBodyOperations().filter(({ release }) => release === LATEST_RELEASE);
testLargeBodies(operations, [FULL, UNKNOWN_MEMBERS, TOO_MANY]);
