import base from './jest.config.base.js';
import { listProjects } from './tools/jest/projects.js';

const { reporters, maxWorkers, testTimeout, workerIdleMemoryLimit } = base;

// The tests of several packages by the same workers, on one database server (docs/decisions/0150).
export default { reporters, maxWorkers, testTimeout, workerIdleMemoryLimit, projects: listProjects() };
