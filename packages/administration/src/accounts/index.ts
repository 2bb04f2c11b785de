// Administration of accounts: locations, terminals, merchant ids, settings, held deposits and EPOS calls.
export { createAccount, disableAccount, enableAccount, listAccounts } from './account-administration.js';
export { changeLocation, createLocation, listAccountLocations } from './location-administration.js';
export {
  type AdministeredTerminal,
  listAdministeredTerminals,
  registerTerminal,
  replaceTerminal,
  resetTerminalCredential,
} from './terminal-administration.js';
export { listMerchantIdStates, retireMerchantId } from './merchant-id-retirement.js';
export { changeOwnAccountSettings } from './own-account-settings.js';
export { beginAgreedSettingChange, finishAgreedSettingChange, resetAgreedSettings } from './agreed-setting-changes.js';
export { EPOS_VIEWS, getHeldDeposit, type HeldDeposit, releaseHeldDeposit } from './deposit-administration.js';
export { getEposStatus } from './epos-status.js';
