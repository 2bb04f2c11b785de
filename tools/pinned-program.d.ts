export interface PinnedProgram {
  /** The folder of its `package.json` and lock file. */
  readonly folder: string;
  /** For the reason of a failure. */
  readonly name: string;
  readonly unpack: (packages: string, target: string) => Promise<void> | void;
  /** `linux-x64` by default. */
  readonly system?: string;
  readonly npmOptions?: readonly string[];
}

export function getProgramFolder(folder: string): string;
export function fetchProgram(program: PinnedProgram): Promise<string | null>;
