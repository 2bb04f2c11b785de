import { renderMetricsPage } from './metrics-page.js';

// A process of its own has the metrics of the imported modules only.
process.stdout.write(await renderMetricsPage());
