// The begin of a run (`globalSetup`): its test files are bundled while what they need is started.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBundleFolder } from './bundle-folder.js';
import { bundleTests } from './bundle.js';
import { listProjects, REPOSITORY } from './projects.js';

/** Ends what the run has started. The teardown is another module of the same process. */
export let endRun = async () => undefined;

export default async function setUp(globalConfig, projectConfig) {
  const projects = globalConfig.rootDir === REPOSITORY ? listProjects() : [projectConfig];
  const folder = createBundleFolder();
  const listFiles = (isApart) =>
    projects
      .filter(({ testEnvironmentOptions: { packagesApart = false } }) => packagesApart === isApart)
      .flatMap((project) => listTestFiles(globalConfig, project));
  const [stop] = await Promise.all([
    startServices(projects),
    bundleTests({ testFiles: listFiles(false), folder }),
    bundleTests({ testFiles: listFiles(true), folder, packagesApart: true }),
  ]);
  endRun = stop;
}

/** Starts what the `services` modules of the packages start, each once; resolves with the function that stops it. */
async function startServices(projects) {
  const files = new Set(projects.flatMap(findServices));
  const stops = await Promise.all([...files].map(async (file) => (await import(pathToFileURL(file).href)).default()));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function findServices({ rootDir, testEnvironmentOptions: { services } }) {
  return services === undefined ? [] : [createRequire(path.join(rootDir, 'package.json')).resolve(services)];
}

/** The test files that the words of the command name; all of the package, where it chooses in another way. */
function listTestFiles(globalConfig, { rootDir, testRegex }) {
  const words = globalConfig.testPathPatterns.toExecutor({ rootDir });
  const isNamed = (file) => globalConfig.runTestsByPath || words.isMatch(file);
  const sources = path.join(rootDir, 'src');
  const files = readdirSync(sources, { recursive: true }).map((file) => path.join(sources, file));
  return files.filter((file) => [testRegex].flat().some((each) => new RegExp(each).test(file)) && isNamed(file));
}
