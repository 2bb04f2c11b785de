// Rotation of the encryption key and of the pepper: values are sealed again, old hashes are retired.
export { resealAll, type ResealResult } from './encryption-key-rotation.js';
export { getPepperOverlap, retirePreviousPepper } from './pepper-rotation.js';
