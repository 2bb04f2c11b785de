import { findSentence, type TestCatalogue } from '../checks/catalogue.js';

/** The clauses with their sentences, and the flows that test them, as a terminal shows them. */
export function listClauseLines(catalogue: TestCatalogue): string {
  const lines = Object.entries(catalogue.clauses).map(
    ([id, sentence]) => `${id}\n    ${sentence}\n    Tested by ${listTestingFlows(catalogue, id, (flow) => flow)}.`,
  );
  return `${lines.join('\n')}\n`;
}

/** One clause as an item of a page in Markdown. */
export function renderClauseItem(catalogue: TestCatalogue, id: string): string {
  const flows = listTestingFlows(catalogue, id, (flow) => `\`${flow}\``);
  return `- \`${id}\`: ${findSentence(catalogue, id)} Tested by ${flows}.`;
}

function listTestingFlows({ clauseFlows }: TestCatalogue, id: string, name: (flow: string) => string): string {
  const note = clauseFlows[id];
  return note?.by ?? (note?.flows ?? []).map(name).join(', ');
}
