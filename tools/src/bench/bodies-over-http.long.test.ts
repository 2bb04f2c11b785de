import { listBodyOperations } from './body-operations.js';
import { testLargeBodies } from './testing-bodies.js';

testLargeBodies(listBodyOperations(), null);
