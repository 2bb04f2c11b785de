import type { EposPort } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { defineToken } from '@pos/service-kit/nest';

/** Finds the EPOS of an account. */
export type EposResolver = (scope: Scope) => EposPort;

export const EPOS_RESOLVER = defineToken<EposResolver>('EPOS_RESOLVER');
