type Environment = Readonly<Record<string, string | undefined>>;

export const HELM_VERSION: string;
export function findHelm(env: Environment): string | null;
