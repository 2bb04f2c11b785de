// Test support for the contract: its problems, shapes, samples and changes of versions, as tests of servers and tools read them.
export { Problem, PROBLEMS } from '../problems/problems.js';
export type { SampleParameter } from '../samples/create-sample-request.js';
export type { SampleRequest } from '../samples/sample-request.js';
export { Moment, MomentInput, PayableInput, text } from '../shapes/shapes.js';
export { VERSION_CHANGES } from '../versions/version-changes.js';
