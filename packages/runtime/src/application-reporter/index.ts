export { type BuiltReport, buildReport } from './build-report.ts';
export { takeEpoch } from './epoch.ts';
export { ReporterMetrics } from './metrics.ts';
export { Outbox } from './outbox.ts';
export { PlatformConnection } from './platform-connection.ts';
export { Redactor } from './redact.ts';
export { ApplicationReporter, type ReporterDeps } from './reporter.ts';
export { RuntimeHeartbeat } from './runtime-heartbeat.ts';
export { shardOf } from './shard.ts';
