/** An operation of docs/contribute/architecture.md, with the files that one reads to follow it, in their order. */
export interface OperationFiles {
  readonly title: string;
  readonly files: readonly string[];
}

/** The numbered lists of files in the architecture: one per operation. */
export function listOperationFiles(page: string): OperationFiles[] {
  const [, ...sections] = page.split(/^### /m);
  return sections.flatMap((section) => {
    const [title = '', ...lines] = section.split(/\n(?=#)/)[0]?.split('\n') ?? [];
    const files = lines.flatMap((line) => /^\d+\. `([^`]+)`/.exec(line)?.[1] ?? []);
    return files.length === 0 ? [] : [{ title, files }];
  });
}
