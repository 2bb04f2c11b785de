// Leak detection: finds card numbers, CV2s, keys and secrets in text, also in encoded or hashed form.
export { type Leak, LeakScan, REACH } from './leak-scan.js';
export {
  createExactShape,
  createNumberShapes,
  createOwnNumberShapes,
  createSecretShapes,
  createTextShapes,
  groupDigits,
} from './leak-shapes.js';
