export { clustersOf, gitSourcesOf } from './entities.ts';
export { EntityReporter } from './entity-reporter.ts';
export { takeEpoch } from './epoch.ts';
export { ReporterMetrics } from './metrics.ts';
export { Outbox } from './outbox.ts';
export { PlatformConnection } from './platform-connection.ts';
export { Redactor } from './redact.ts';
export { ApplicationReporter } from './reporter.ts';
export { RuntimeHeartbeat } from './runtime-heartbeat.ts';
