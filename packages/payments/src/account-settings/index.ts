// The settings of an account and its branding: who may change what, and the record of each change.
export {
  type AccountSettingsView,
  changeAccountSettings,
  getAccountSettings,
  SERVICE_MANAGED_EPOS,
} from './account-settings.js';
export { changeBranding, getBranding } from './branding.js';
