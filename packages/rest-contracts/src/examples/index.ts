// Example requests and answers of each operation.
export { OPERATION_EXAMPLES } from './examples.js';
export type { OperationExample } from './operation-example.js';
export { IDS } from './example-ids.js';
export { EXAMPLE_PAYMENTS } from './example-payments.js';
export { listExamples } from './schema-examples.js';
