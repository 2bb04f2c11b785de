// Metrics of a process: counters, gauges and histograms, and the registry that lists them.
export { Gauge, type MetricDefinition, type MetricType } from './metric.js';
export { addCollector, defineCounter, defineGauge, defineHistogram, listMetrics } from './metric-registry.js';
