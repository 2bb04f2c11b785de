/** One line for each group of commands. */
export const GROUP_BRIEFS: Readonly<Record<string, string>> = {
  account: 'Accounts of merchants.',
  location: 'The premises of an account.',
  terminal: 'Card machines of an account.',
  'merchant-number': 'Merchant numbers of an account at its acquirers.',
  key: 'API keys of an account.',
  'portal-user': 'Users of the portal.',
  partner: 'Software houses and resellers, whom production requests may name.',
  settings: 'The settings of an account.',
  pending: 'Money whose end is open.',
  settlement: 'What an acquirer has settled.',
  ledger: 'The books.',
  epos: 'The EPOS of an account.',
  webhooks: 'Deliveries that have failed.',
  keys: 'The keys that protect stored data.',
  'agreed-settings': 'Settings of the apps that must have one value in all processes.',
  audit: 'The audit log.',
};
