import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type ReadinessCheck, serveHealth } from '../http/health.js';
import { collectCertificates } from '../metrics/certificate-metrics.js';
import { collectProcessMetrics } from '../metrics/process-metrics.js';
import { collectReadiness } from '../http/readiness-metrics.js';
import { renderMetrics } from '../metrics/metric-registry.js';
import { readProductVersion } from '../telemetry/release.js';
import { startTraceExport } from '../telemetry/trace-export.js';
import type { Log } from '../telemetry/log.js';
import { defineToken } from './provide.js';
import { CONFIG, LOG } from './settings-module.js';

/** The settings of monitoring, which every app names alike: `telemetrySettings`. */
export interface MonitoringSettings {
  readonly HEALTH_PORT?: number | undefined;
  readonly HEALTH_HOST: string;
  readonly RELEASE?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly CONNECTIONS_PER_ADDRESS: number;
}

/** What an app decides about its monitoring. */
export interface MonitoringOptions {
  readonly app: string;
  /** What must be up for `/health/ready`: providers of global modules. */
  readonly ready: readonly Type<ReadinessCheck>[];
  /** The folder with the data of the process itself. */
  readonly dataFolder?: string;
  /** A further port with the same paths, for an app whose HTTP port serves health only. */
  readonly ownPort?: { readonly port: number; readonly host: string };
}

const OPTIONS = defineToken<MonitoringOptions>('MONITORING_OPTIONS');
type HealthServer = Awaited<ReturnType<typeof serveHealth>>;

/** Health and metrics on a port of their own, and the export of traces. Each app imports it. */
@Module({})
export class MonitoringModule implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #servers: HealthServer[] = [];
  readonly #onShutdown: (() => Promise<void> | void)[] = [];

  constructor(
    @Inject(OPTIONS) private readonly options: MonitoringOptions,
    @Inject(CONFIG) private readonly config: MonitoringSettings,
    @Inject(LOG) private readonly log: Log,
    private readonly moduleRef: ModuleRef,
  ) {}

  static forRoot(options: MonitoringOptions): DynamicModule {
    return { module: MonitoringModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  /** The addresses of the open ports. */
  get urls(): readonly string[] {
    return this.#servers.map(({ url }) => url);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = this.config;
    const { app, ready, dataFolder } = this.options;
    const release = readProductVersion(this.config);
    if (endpoint !== undefined)
      this.#onShutdown.push(await startTraceExport({ endpoint, sampleRatio, app, release, log: this.log }));
    const ports = this.#listPorts();
    if (ports.length === 0) return;
    const checks = ready.map((check) => this.moduleRef.get(check, { strict: false }));
    this.#onShutdown.push(
      collectProcessMetrics({ app, release, ...(dataFolder !== undefined && { dataFolder }) }),
      collectReadiness(checks),
      collectCertificates(this.config),
    );
    for (const port of ports) {
      this.#servers.push(
        await serveHealth({
          ...{ ...port, checks, release },
          connections: { perAddress: this.config.CONNECTIONS_PER_ADDRESS, log: this.log },
          metrics: () => renderMetrics((error) => this.log.warn('metrics.not_collected', { error })),
        }),
      );
    }
    this.log.info('monitoring.started', { urls: this.urls, exports_traces: endpoint !== undefined });
  }

  /** Last of all: an orchestrator watches the drain, and the spans of the drained work are sent. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#servers.map(({ close }) => close()));
    for (const end of this.#onShutdown) await end();
  }

  #listPorts(): { readonly port: number; readonly host: string }[] {
    const { HEALTH_PORT: port, HEALTH_HOST: host } = this.config;
    const { ownPort } = this.options;
    return [...(port === undefined ? [] : [{ port, host }]), ...(ownPort === undefined ? [] : [ownPort])];
  }
}
