// Errors: refusals of requests, violations of fields, defects of our code, start failures, and safe text.
export { createViolation, Refusal, REFUSAL_CODES, type RefusalCode, type RefusalMembers } from './refusal.js';
export { Violations } from './violations.js';
export type { Readable } from './readable-value.js';
export { assert, Defect, requireValue } from './assert.js';
export { WrongSetting } from './settings-error.js';
export { StartFailure } from './start-failure.js';
export { escapeControls, removeControls } from './printable-text.js';
export { cutStorableText, toStorable, toStorableText } from './storable-text.js';
