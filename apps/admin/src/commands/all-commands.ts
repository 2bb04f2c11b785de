import type { CommandCatalog } from '@pos/command-line';
import type { CommandDefinition } from '../command/command-definition.js';

/** Every command, in the order of `--help`. A file is loaded when one of its commands is named. */
export const CATALOG: CommandCatalog<CommandDefinition> = [
  {
    briefs: {
      migrate: 'Updates the schema of the database to this release, and creates the logins of the apps.',
    },
    load: async () => [(await import('./migrate-command.js')).MIGRATE_COMMAND],
  },
  {
    briefs: {
      'account create': 'Creates an account with its first location.',
      'account list': 'Lists all accounts.',
      'account show': 'Shows an account with its locations, terminals and keys.',
      'account disable': 'Disables an account: all its keys are refused within a second.',
      'account enable': 'Enables a disabled account: its keys are accepted again within seconds.',
    },
    load: async () => (await import('./account-commands.js')).ACCOUNT_COMMANDS,
  },
  {
    briefs: {
      'location create': 'Adds a location to an account.',
      'location update': 'Changes a location.',
      'location list': 'Lists the locations of an account.',
    },
    load: async () => (await import('./location-commands.js')).LOCATION_COMMANDS,
  },
  {
    briefs: {
      'terminal register': 'Registers a card machine by the TID that the acquirer has assigned to it.',
      'terminal replace': 'Gives a terminal to another card machine, with its id and history.',
      'terminal reset-credential': 'Frees a terminal whose card machine has lost its credential.',
      'terminal list': 'Lists the terminals of an account with their machines.',
    },
    load: async () => (await import('./terminal-commands.js')).TERMINAL_COMMANDS,
  },
  {
    briefs: {
      'merchant-number retire': 'Gives up a mistyped merchant number under which no money is open.',
      'merchant-number list': 'Lists the merchant numbers of an account.',
    },
    load: async () => (await import('./merchant-number-commands.js')).MERCHANT_NUMBER_COMMANDS,
  },
  {
    briefs: {
      'key create': 'Creates an API key, the first one of an account included, and shows its text once.',
      'key update': 'Makes an API key strict or lenient about unknown members of requests that move money.',
      'key revoke': 'Revokes an API key: every process refuses it within a second.',
      'key list': 'Lists the valid API keys of an account.',
    },
    load: async () => (await import('./key-commands.js')).KEY_COMMANDS,
  },
  {
    briefs: {
      'portal-user create': 'Creates a user of the portal.',
      'portal-user list': 'Lists the users of the portal with their roles, locks and last sign-ins.',
      'portal-user disable': 'Disables a user of the portal: all sessions end at once.',
      'portal-user enable': 'Enables a disabled user of the portal, with the roles of before.',
      'portal-user reset-password': 'Gives a user of the portal another password: all sessions end at once.',
      'portal-user reset-second-factor': 'Removes all second factors of a user of the portal, and ends all sessions.',
      'portal-user unlock': 'Ends the lock of a user of the portal after ten wrong passwords.',
      'portal-user end-sessions': 'Ends all sessions of a user of the portal, who may sign in again.',
      'portal-user grant': 'Gives a user of the portal a role in an account; it replaces the previous one.',
      'portal-user revoke': 'Takes the role of a user of the portal in an account away.',
    },
    load: async () => (await import('./portal-user-commands.js')).PORTAL_USER_COMMANDS,
  },
  {
    briefs: {
      'partner register': 'Registers a software house or a reseller: production requests may name it within a second.',
      'partner update': 'Changes the name or the contact of a partner.',
      'partner list': 'Lists the partners, and whether production requests must name them.',
      'partner show': 'Shows a partner.',
      'partner retire': 'Retires a partner: production requests that name it begin nothing new within a second.',
      'partner reactivate': 'Makes a retired partner active again.',
      'partner unregistered': 'Lists the partners that recent production payments name, and that are not registered.',
      'partner adopt': 'Registers the partners that recent production payments name.',
      'partner enforce': 'Decides whether production requests that name another partner are refused.',
      'partner report': 'Shows the turnover of partners over all accounts, as a table or as CSV.',
    },
    load: async () => (await import('./partner-commands.js')).PARTNER_COMMANDS,
  },
  {
    briefs: {
      'settings get': 'Shows every setting of an account.',
      'settings set': 'Changes settings of an account, all of them or none.',
    },
    load: async () => (await import('./settings-commands.js')).SETTINGS_COMMANDS,
  },
  {
    briefs: {
      'pending list': 'Lists money whose end is open, of one account or of all.',
      'pending resolve': 'Decides about a line of the pending list.',
      'pending answer': 'Marks a difference between the books as checked, with the explanation.',
      reconcile: 'Requests a comparison of an account with the books of the acquirer, and waits for it.',
      'settlement import': 'Imports a settlement file of an acquirer, and compares each line with our calls.',
      'settlement declare-empty':
        'States that an acquirer settled nothing on days, so that no file of them is awaited.',
      'ledger verify': 'Recomputes the hash chains of all records, of one account or of all.',
    },
    load: async () => (await import('./money-commands.js')).MONEY_COMMANDS,
  },
  {
    briefs: {
      'deposit show': 'Shows which party a payment is the deposit of, and what the EPOS has answered about it.',
      'deposit release': 'Makes a payment free that stays a deposit although the EPOS does not take it off a bill.',
    },
    load: async () => (await import('./deposit-commands.js')).DEPOSIT_COMMANDS,
  },
  {
    briefs: {
      'epos status': 'Shows how the EPOS of an account is reached, and its last calls.',
      'webhooks dead-letters': 'Lists deliveries of an account whose attempts are spent, newest first.',
      'webhooks replay': 'Sends dead letters again: one, or all of an account.',
    },
    load: async () => (await import('./delivery-commands.js')).DELIVERY_COMMANDS,
  },
  {
    briefs: {
      'keys rotate': 'Ends a step of a key replacement: seals all values again, or retires the previous pepper.',
      'keys pepper': 'Shows what the previous pepper is still needed for.',
      'agreed-settings list': 'Lists the settings that all processes have agreed on.',
      'agreed-settings change': 'Accepts another value of a setting beside the current one, for a rollout.',
      'agreed-settings finish': 'Ends the change of a setting: only the new value is accepted from now on.',
      'agreed-settings reset': 'Forgets all agreed settings: the next process that starts stores its own values.',
      'audit list': 'Lists the changes of an account, or those of the whole service, newest first.',
      'audit verify': 'Recomputes the chains of the audit log, and finds edited, removed and moved entries.',
    },
    load: async () => (await import('./upkeep-commands.js')).UPKEEP_COMMANDS,
  },
  {
    briefs: {
      'approval list': 'Lists the changes that need a second operator, newest first.',
      'approval approve': 'Approves a change of another operator, who then runs the same command again.',
      'approval refuse': 'Refuses a change of another operator.',
      'approval require': 'Decides whether production keys, operators and roles need a second operator.',
    },
    load: async () => (await import('./approval-commands.js')).APPROVAL_COMMANDS,
  },
  {
    briefs: {
      doctor: 'Checks the whole service: database, keys, settings, acquirers, vault, gateways, certificates, due work.',
    },
    load: async () => [(await import('./doctor-command.js')).DOCTOR_COMMAND],
  },
];
