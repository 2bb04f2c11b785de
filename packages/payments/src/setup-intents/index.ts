// Setup intents: requests to save a card for later charges, and their views.
export { type SetupIntentRequest, SetupIntents, type SetupIntentView } from './setup-intents.js';
export { commitSetupIntent } from './setup-intent-change.js';
