import { bodyOperations } from './body-operations.js';
import { testLargeBodies } from './testing-bodies.js';

testLargeBodies(bodyOperations(), null);
