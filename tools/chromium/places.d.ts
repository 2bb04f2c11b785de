type Environment = Readonly<Record<string, string | undefined>>;

export const FETCHED_FOLDER: string;
export function findChromium(env: Environment): string | null;
export function chromiumEnvironment(executable: string, env: Environment): Environment;
