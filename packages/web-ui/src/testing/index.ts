// Test support for pages: messages in the texts of a catalogue, without a page around them.
export { createTranslate, listPlaceholders } from '../messages/message-catalogue.js';
