import { ZOO_MEMBERS } from './zoo-run.js';

/** Renders the broken acquirers as the page for partners. */
export function renderZooPage(): string {
  return [
    '# Defects that the acquirer tester detects',
    '',
    'For engineers who want to know what a passed test of their adapter proves, and for contributors who change the tester. At its end you know which defects the tester detects, and by which clause.',
    '',
    'Each member of the zoo is the acquirer of the sandbox with one defect. `pnpm zoo` runs all flows against every member until a check names a clause that the member breaks. It ends with 0 only if every member is caught and the correct acquirer raises no alarm. `pnpm test:all` requires that each member is caught exactly as this page lists it.',
    '',
    `The zoo has ${ZOO_MEMBERS.length} members. This page is generated from them; \`pnpm golden --filter=@pos/acquirer-tester\` rewrites it.`,
    '',
    '| An acquirer | flow | clause |',
    '| --- | --- | --- |',
    ...ZOO_MEMBERS.map(({ defect, flow, clause }) => `| ${defect} | \`${flow}\` | \`${clause}\` |`),
    '',
  ].join('\n');
}
