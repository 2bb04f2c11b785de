// What the compiler says of a file, as findings of the linter: it has a program of every file at hand, tests included,
// which a run of the compiler of its own would have to make again. Files that the linter has no types of are passed by.
import ts from 'typescript';

export const typeErrors = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices ?? {};
    if (!program) return {};
    return {
      Program(node) {
        const file = esTreeNodeToTSNodeMap.get(node);
        for (const { code, messageText, start = 0, length = 0 } of program.getSemanticDiagnostics(file)) {
          const place = (at) => context.sourceCode.getLocFromIndex(at);
          const says = ts.flattenDiagnosticMessageText(messageText, ' ');
          context.report({ loc: { start: place(start), end: place(start + length) }, message: `TS${code}: ${says}` });
        }
      },
    };
  },
};
