// Banned syntax per folder: each ban is a selector and the reason that a finding prints. The linter has no rule of its
// own for selectors.
export default {
  meta: { name: 'pos' },
  rules: {
    'banned-syntax': {
      meta: { type: 'problem', schema: { type: 'array', items: { type: 'object' } } },
      create(context) {
        return Object.fromEntries(
          context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
        );
      },
    },
  },
};
