// The begin of a run (`globalSetup`): its test files are bundled while what they need is started.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBundleFolder } from './bundle-folder.js';
import { bundleTests } from './bundle.js';

/** Ends what the run has started. The teardown is another module of the same process. */
export let endRun = async () => undefined;

export default async function setUp(globalConfig, projectConfig) {
  const { rootDir, testEnvironmentOptions } = projectConfig;
  const folder = createBundleFolder(rootDir);
  const testFiles = listTestFiles(globalConfig, projectConfig);
  const [stop] = await Promise.all([
    startServices(projectConfig),
    bundleTests({ rootDir, testFiles, folder, packagesApart: testEnvironmentOptions.packagesApart }),
  ]);
  endRun = stop;
}

/** Starts what the package's `services` module starts; resolves with the function that stops it. */
async function startServices({ rootDir, testEnvironmentOptions: { services } }) {
  if (services === undefined) return async () => undefined;
  const file = createRequire(path.join(rootDir, 'package.json')).resolve(services);
  return (await import(pathToFileURL(file).href)).default();
}

/** The test files that the words of the command name; all of the package, where it chooses in another way. */
function listTestFiles(globalConfig, { rootDir, testRegex }) {
  const words = globalConfig.testPathPatterns.toExecutor({ rootDir });
  const isNamed = (file) => globalConfig.runTestsByPath || words.isMatch(file);
  const sources = path.join(rootDir, 'src');
  const files = readdirSync(sources, { recursive: true }).map((file) => path.join(sources, file));
  return files.filter((file) => testRegex.some((each) => new RegExp(each).test(file)) && isNamed(file));
}
