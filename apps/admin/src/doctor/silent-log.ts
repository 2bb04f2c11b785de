import type { Log } from '@pos/service-kit/telemetry';

const ignore = (): void => undefined;

/** For parts that log in a process that runs for long. A check writes findings instead. */
export const SILENT_LOG: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
