import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineCommand } from '../command/command-definition.js';
import { EXIT_CODES } from '../command/exit-codes.js';
import { text, texts } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import { diagnoseSignature } from '../listen/signature-diagnosis.js';
import { readNow } from '../connection/now.js';

const RecordedWebhook = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });

/** `pos webhooks verify`. */
export const verifyCommand = defineCommand({
  path: 'webhooks verify',
  details: [
    'The recording is a JSON file with `headers` and `body`, where the body is the text as it arrived. A dash reads it from ' +
      'the input.',
    'The secret comes from --secret or POS_WEBHOOK_SECRET, which other users of the machine do not see. ' +
      'Nothing is sent. Exit code 4: the delivery must not be processed.',
  ],
  examples: ['webhooks verify delivery.json --secret ...', 'webhooks verify delivery.json --at 2027-01-31T12:00:00Z'],
  flags: {
    secret: texts('A secret of the subscription; may be given several times.', 'secret'),
    at: text('When the delivery arrived; now when left out.', 'time'),
  },
  operands: { placeholder: 'recording', brief: 'The file.', min: 1, max: 1 },
  run: async (run, { values, operands: [file = ''] }) => {
    const fromEnvironment = run.env['POS_WEBHOOK_SECRET'];
    const secrets = values.secret ?? (fromEnvironment === undefined ? [] : [fromEnvironment]);
    if (secrets.length === 0 || secrets.includes('')) throw new WrongUse('give --secret, or set POS_WEBHOOK_SECRET');
    const now = values.at === undefined ? readNow() : new Date(values.at);
    if (Number.isNaN(now.getTime())) throw new WrongUse(`--at ${values.at}: must be like 2027-01-31T12:00:00Z`);
    const diagnosis = await diagnoseSignature(readRecording(file), { secrets, now });
    run.report(diagnosis, `${diagnosis.verdict}: ${diagnosis.explanation}`);
    return diagnosis.verdict === 'valid' ? undefined : EXIT_CODES.finding;
  },
});

const STANDARD_INPUT = 0;

function readRecording(file: string): z.output<typeof RecordedWebhook> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8'));
  } catch (error) {
    throw new WrongUse(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = RecordedWebhook.safeParse(content);
  if (!read.success) throw new WrongUse(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}
