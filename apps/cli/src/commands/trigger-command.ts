import { toggle } from '@pos/command-line';
import { defineCommand } from '../command/command-definition.js';
import { EXIT_CODES } from '../command/exit-codes.js';
import { readPairs, texts } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import { CARD_SCENARIOS } from '../trigger/card-scenarios.js';
import { MACHINE_SCENARIOS } from '../trigger/machine-scenarios.js';
import { createNote, readValues, type Scenario, VALUES } from '../trigger/scenario.js';

export const SCENARIOS: Readonly<Record<string, Scenario>> = { ...CARD_SCENARIOS, ...MACHINE_SCENARIOS };

const NAMES = Object.keys(SCENARIOS);
const WIDTH = Math.max(...NAMES.map((name) => name.length));

/** `pos trigger`. */
export const triggerCommand = defineCommand({
  path: 'trigger',
  details: [
    ['Scenarios:', ...NAMES.map((name) => `  ${name.padEnd(WIDTH)}  ${SCENARIOS[name]?.brief ?? ''}`)].join('\n'),
    [
      'Values of --with:',
      ...Object.entries(VALUES).map(([name, { brief, standard }]) => `  ${name.padEnd(WIDTH)}  ${brief} (${standard})`),
    ].join('\n'),
    'It needs a sandbox key. Exit code 4: the flow ended in another state than the scenario says.',
  ],
  examples: ['trigger sale', 'trigger refund --with amount=2000 --with part=500', 'trigger sale --with amount=1091'],
  flags: {
    with: texts('A value of the scenario; may be given several times.', 'name=value'),
    anyEnd: toggle('Accepts every last state, as for an amount that changes the outcome.'),
  },
  operands: { placeholder: 'scenario', brief: 'One of the scenarios.', min: 1, max: 1, choices: NAMES },
  run: async (run, { values, operands: [name = ''] }) => {
    const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
    if (scenario === undefined) throw new WrongUse(`${name}: must be one of ${NAMES.join(', ')}`);
    const read = readValues(scenario, readPairs('--with', values.with ?? []));
    const { client, vault, isSandbox } = run.connect();
    if (!isSandbox) throw new WrongUse('this key is no sandbox key, and a scenario would move real money');
    const note = createNote(run.report);
    const ended = await scenario.play({ client, vault, values: read, stop: run.stop, note });
    if (ended === scenario.ends || values.anyEnd) return undefined;
    run.report(
      { scenario: name, ended, expected: scenario.ends },
      `The scenario ended in ${ended} instead of ${scenario.ends}.`,
    );
    return EXIT_CODES.finding;
  },
});
