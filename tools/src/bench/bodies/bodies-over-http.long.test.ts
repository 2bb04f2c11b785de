import { listBodyOperations } from './body-operations.js';
import { testLargeBodies } from './body-cases.js';

testLargeBodies(listBodyOperations(), null);
