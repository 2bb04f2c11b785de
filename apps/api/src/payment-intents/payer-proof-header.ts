import type { IncomingHttpHeaders } from 'node:http';

/** The secret with which a page proves that it has paid, or tried to; null without one. */
export function readPayerProof({ 'client-session-secret': sent }: Readonly<IncomingHttpHeaders>): string | null {
  return typeof sent === 'string' ? sent : null;
}
