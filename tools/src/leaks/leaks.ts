import { LeakScenario } from './leak-scenario.js';

// `pnpm leaks`: the long form of what `npm test` does once; 0 only if nothing was found.

const ROUNDS = 5;
const scenario = await LeakScenario.open();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void scenario.remove().finally(() => process.exit(1)));
}
try {
  await scenario.live(ROUNDS);
  const { finds, cards, files, isMemoryScanned, memoryBytes } = await scenario.search();
  const memory = isMemoryScanned
    ? `${Math.round(memoryBytes / 1e6)} MB of memory were looked through`
    : 'memory was NOT looked through, for this machine does not let it be read';
  console.log(`${cards} cards were used; ${files} files and ${memory}.`);
  for (const find of finds) console.log(`  ${find}`);
  console.log(finds.length === 0 ? 'Nothing leaked.' : `${finds.length} leaks.`);
  process.exitCode = finds.length === 0 ? 0 : 1;
} finally {
  await scenario.remove();
}
