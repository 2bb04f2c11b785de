import { type CommandDefinition, type CommandRun, defineCommand } from '../command/command-definition.js';
import { EXIT_CODES, type ExitCode } from '../command/exit-codes.js';
import { wholeNumber } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import { sellOnMachine } from '../trigger/machine-scenarios.js';
import { createNote, readValues, type Scenario } from '../trigger/scenario.js';

const AMOUNT_MAX = 99_999_900;
/** On the machines that follow amounts, the last two digits 91 decline a sale. */
const DECLINED_ENDING = 91;
const FLAGS = { amount: wholeNumber('Minor units; 1250 when left out.', { min: 100, max: AMOUNT_MAX }) };
const OPERAND = { placeholder: 'tid', brief: 'The machine, such as 90000001.', min: 1, max: 1 } as const;

const tap = defineCommand({
  path: 'terminals tap',
  details: ['What the machine does is in `pos terminals machines`: 90000001 and 90000002 approve.'],
  examples: ['terminals tap 90000001', 'terminals tap 90000002 --amount 2000'],
  flags: FLAGS,
  operands: OPERAND,
  run: (run, { values, operands: [tid = ''] }) =>
    playSale(run, { tid, amount: values.amount ?? 1250, ends: 'Captured' }),
});

const decline = defineCommand({
  path: 'terminals decline',
  details: ['The last two digits of the amount become 91, which the machines 90000001, 90000002 and 90000010 follow.'],
  examples: ['terminals decline 90000001'],
  flags: FLAGS,
  operands: OPERAND,
  run: (run, { values, operands: [tid = ''] }) => {
    const amount = Math.floor((values.amount ?? 1250) / 100) * 100 + DECLINED_ENDING;
    return playSale(run, { tid, amount, ends: 'Declined' });
  },
});

async function playSale(
  run: CommandRun,
  { tid, amount, ends }: { readonly tid: string; readonly amount: number; readonly ends: string },
): Promise<ExitCode | undefined> {
  const { client, vault, isSandbox } = run.connect();
  if (!isSandbox) throw new WrongUse('this key is no sandbox key, and a sale would move real money');
  const sale: Scenario = {
    ...{ brief: '', reads: ['amount', 'tid'], ends },
    play: (play) => sellOnMachine(play, tid),
  };
  const values = readValues(sale, { amount: String(amount), tid });
  const ended = await sale.play({ client, vault, values, stop: run.stop, note: createNote(run.report) });
  return ended === ends ? undefined : EXIT_CODES.finding;
}

export const MACHINE_COMMANDS: readonly CommandDefinition[] = [tap, decline];
