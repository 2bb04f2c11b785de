// Deliberately faulty subjects that measure a tester: which defects it detects, and its false alarms.
export {
  type Alarm,
  type CaughtMember,
  isGoodEnough,
  renderZooReport,
  type ZooRecord,
  type ZooResult,
} from './zoo-record.js';
export { runConcurrently } from './concurrency.js';
