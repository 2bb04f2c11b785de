// What the runner of the tests and its hooks share. The hooks run in a thread of their own.

export const isTypeScript = (address) => /\.ts(\?(run=\d+|variant=\w+))?$/.test(address);

/** Removes types, and compiles decorators, which Nest reads. */
export const SWC_OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};
