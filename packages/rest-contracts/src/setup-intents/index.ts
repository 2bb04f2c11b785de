// REST operations for setup intents, and their views for merchants and payers.
export { PublicSetupIntent } from './setup-intents.js';
export {
  cancelSetupIntent,
  createSetupIntent,
  readPublicSetupIntent,
  readSetupIntent,
  refreshPublicSetupSecret,
  refreshSetupSecret,
} from './setup-intent-operations.js';
export { listReadableSetupMembers, readSetupRequest } from './read-setup-request.js';
export { presentPublicSetup, presentSetup } from './present-setup-intent.js';
