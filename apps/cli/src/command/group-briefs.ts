/** What `--help` says about a group of commands. */
export const GROUP_BRIEFS: Readonly<Record<string, string>> = {
  clock: 'The time of a sandbox account.',
  deliveries: 'Deliveries of webhooks: list them, and send them again.',
  sandbox: 'The simulated world of npm start.',
  terminals: 'Card machines, and the simulated ones of the sandbox.',
  tester: 'Flows of the EPOS tester.',
  webhooks: 'Signatures of webhooks.',
};
