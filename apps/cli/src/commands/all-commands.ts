import type { CommandCatalog } from '@pos/command-line';
import type { CommandDefinition } from '../command/command-definition.js';

/** Every command, in the order of `--help`. A file is loaded when one of its commands is named. */
export const CATALOG: CommandCatalog<CommandDefinition> = [
  {
    briefs: {
      listen: 'Receives webhooks, verifies them and forwards them to your endpoint.',
    },
    load: async () => [(await import('./listen-command.js')).listenCommand],
  },
  {
    briefs: {
      trigger: 'Plays a real flow of payments in the sandbox, and prints every id.',
    },
    load: async () => [(await import('./trigger-command.js')).triggerCommand],
  },
  {
    briefs: {
      events: 'Lists the kinds of events, and the subscription that receives each.',
      'deliveries list': 'Lists the deliveries of a subscription, newest first.',
      'deliveries replay': 'Sends a delivery that was given up again, or all of them.',
    },
    load: async () => (await import('./delivery-commands.js')).DELIVERY_COMMANDS,
  },
  {
    briefs: {
      api: 'Calls an operation of the API by its id, and prints the answer as JSON.',
    },
    load: async () => [(await import('./api-command.js')).apiCommand],
  },
  {
    briefs: {
      'terminals tap': 'Starts a sale on a simulated card machine, where a payer presents a card that is approved.',
      'terminals decline': 'Starts a sale on a simulated card machine, which the card issuer declines.',
    },
    load: async () => (await import('./machine-commands.js')).MACHINE_COMMANDS,
  },
  {
    briefs: {
      tables: 'Lists the open tables of the simulated restaurant, with their bills and locks.',
      'terminals list': 'Lists the card machines of the account.',
      'terminals machines': 'Lists the simulated card machines, what each does with a card, and its faults.',
      'terminals unplug': 'Switches a simulated card machine off for some seconds.',
      'terminals plug': 'Removes all faults of a simulated card machine.',
      'sandbox new': 'Creates a throw-away account beside npm start, and prints its name.',
      'sandbox reset': 'Removes all rules and faults, and resets every simulated restaurant.',
      'sandbox delete': 'Deletes a throw-away account.',
      'clock advance': 'Moves the time of the sandbox account forward, and waits for everything that becomes due.',
    },
    load: async () => (await import('./sandbox-commands.js')).SANDBOX_COMMANDS,
  },
  {
    briefs: {
      open: 'Prints the address of a page, and opens it in a browser.',
    },
    load: async () => [(await import('./open-command.js')).openCommand],
  },
  {
    briefs: {
      'tester list': 'Lists the flows of the EPOS tester.',
      'tester run': 'Runs a flow of the EPOS tester against the EPOS of the account, and shows its steps.',
    },
    load: async () => (await import('./tester-commands.js')).TESTER_COMMANDS,
  },
  {
    briefs: {
      logs: 'Shows the newest lines of the logs of npm start, and what follows.',
    },
    load: async () => [(await import('./log-command.js')).logCommand],
  },
  {
    briefs: {
      'webhooks verify': 'Says why the signature of a delivery is refused: clock, secret, body or header.',
    },
    load: async () => [(await import('./webhooks-command.js')).verifyCommand],
  },
  {
    briefs: {
      doctor: 'Checks the address, the key, the clock, the card machines and the subscriptions of the account.',
    },
    load: async () => [(await import('./doctor-command.js')).doctorCommand],
  },
  {
    briefs: {
      completion: 'Prints a script that completes commands, flags and scenarios in your shell.',
    },
    load: async () => [(await import('./completion-command.js')).completionCommand],
  },
];
