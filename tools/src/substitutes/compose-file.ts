import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';

const Condition = z.strictObject({
  condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
});

/** A service, with the members of the Compose specification that ours use. */
const Service = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({
      context: z.string(),
      dockerfile: z.string(),
      target: z.string().optional(),
      args: z.strictObject({ APP: z.string(), RELEASE: z.string() }),
    })
    .optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  restart: z.enum(['no', 'unless-stopped']).optional(),
  profiles: z.tuple([z.literal('commands')]).optional(),
  read_only: z.literal(true),
  user: z.string().regex(/^\d+:\d+$/),
  network_mode: z.literal('none').optional(),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.enum(['CHOWN', 'DAC_OVERRIDE', 'FOWNER'])).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  ulimits: z.strictObject({ core: z.literal(0) }).optional(),
  tmpfs: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
  stop_signal: z.string().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.int() })
    .optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), Condition).default({}),
});

const ComposeFile = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
});

export type ComposeService = z.output<typeof Service>;

export const COMPOSE_FOLDER = path.join(REPOSITORY, 'deploy/compose');

/** Reads deploy/compose/compose.yaml. Throws for a member that is not one of ours, or has another form. */
export function readComposeFile(): z.output<typeof ComposeFile> {
  const text = readFileSync(path.join(COMPOSE_FOLDER, 'compose.yaml'), 'utf8');
  const members = Object.entries(parse(text, { merge: true }) as object);
  return ComposeFile.parse(Object.fromEntries(members.filter(([name]) => !name.startsWith('x-'))));
}

/** The text with the default of each variable of the shell, as where none is set: `${RELEASE:-0.2.0}` is 0.2.0. */
export function withDefaults(text: string): string {
  return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
}
