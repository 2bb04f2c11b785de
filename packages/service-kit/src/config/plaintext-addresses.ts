import { z } from 'zod';

/** The hosts of loopback, as a parsed URL has them. Not `isLoopback`: the folder of the network needs this one. */
const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Settings with addresses of HTTP that must be encrypted in production. */
const HTTPS_NEEDED = z.registry<{ readonly isNeeded: true }>();

/**
 * A setting with an address, or several separated by commas, that in production is `https` unless it is on loopback. Call
 * it last before `describe`, so that it gets the optional setting.
 */
export function requireHttpsInProduction<S extends z.ZodType>(setting: S): S {
  HTTPS_NEEDED.add(setting, { isNeeded: true });
  return setting;
}

export function isHttpsNeeded(setting: z.core.$ZodType): boolean {
  return HTTPS_NEEDED.get(setting) !== undefined;
}

/** A problem for each setting that has an address in plain text off loopback. */
export function listPlaintextAddresses(schema: z.ZodObject, values: Readonly<Record<string, string>>): string[] {
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, setting]) => {
    const texts = values[name]?.split(',') ?? [];
    const isPlaintext = isHttpsNeeded(setting) && texts.some((text) => isPlaintextAddress(text.trim()));
    return isPlaintext ? [`${name}: must be https in production, except on loopback`] : [];
  });
}

/** What cannot be parsed is a problem of the setting itself. */
function isPlaintextAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
}
