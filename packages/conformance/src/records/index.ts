// Records of played flows and their steps, and the status with which each ends.
export {
  findWorstStatus,
  type FlowEnding,
  type FlowRecord,
  type GroupRecord,
  runInOrder,
  type Skip,
  type StepRecord,
} from './flow-record.js';
