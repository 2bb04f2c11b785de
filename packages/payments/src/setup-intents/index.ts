// Setup intents: requests to save a card for later charges, and their views.
export { SetupIntents, type SetupIntentView } from './setup-intents.js';
