import { createPageBuild } from '@pos/web-ui/build';

const page = createPageBuild();

const GROUPS = [
  {
    name: 'base',
    test: /node_modules\/(?!.*uqr)|preload-helper|packages\/(web-ui\/(?!.*button)|core|rest-contracts)|web\/(restaurant\/(?!receipt|switch|items)|main|sandbox-page)/,
  },
  { name: 'machine', test: /web\/machine\/(?!screens\/(code|receipt|signature|split))|machine-(messages|texts)\.ts/ },
];

// One page for all screens of the sandbox; each screen is loaded with its first use. What all of them need is one file,
// and class names are short: both keep the first load small.
export default {
  ...page,
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
  build: {
    ...page.build,
    rolldownOptions: {
      ...page.build.rolldownOptions,
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
};
