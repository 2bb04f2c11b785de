// NestJS building blocks: providers and tokens, and modules for settings and monitoring.
export { defineToken, listTokens, provide, type ValueToken } from './provide.js';
export { CONFIG, LOG, SettingsModule } from './settings-module.js';
export { MonitoringModule } from './monitoring-module.js';
