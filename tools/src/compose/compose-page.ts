import { runPage } from '../operations/page-script.js';

const PAGE = 'docs/operate/run-with-compose.md';
const SCRIPT_MS_MAX = 600_000;

/** Runs the commands of the page about Compose. Returns one sentence for each output that the page does not show. */
export async function runComposePage(cwd: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const { found, shown } = await runPage({ page: PAGE, cwd, env, limitMs: SCRIPT_MS_MAX });
  process.stdout.write(`the commands of ${PAGE} ran: ${found.length} blocks\n`);
  return found.flatMap((output, index) =>
    output === shown[index] ? [] : [`${PAGE} shows "${shown[index] ?? ''}", and the commands print "${output}"`],
  );
}
