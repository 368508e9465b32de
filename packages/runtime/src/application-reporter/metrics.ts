import { Counter, Gauge, Histogram, type Registry } from '@fairlead/base';

/** The names are contract: docs/components/application-reporter.md lists them. */
export class ReporterMetrics {
  readonly queueDepth: Gauge;
  readonly pending: Gauge;
  readonly overflows: Counter;
  readonly unchanged: Counter;
  readonly coalesced: Counter;
  readonly givenUp: Counter;
  readonly spoolBytes: Gauge;
  readonly sent: Counter;
  readonly sendFailures: Counter;
  readonly digests: Counter;
  readonly buildSeconds: Histogram;
  readonly sendSeconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name: `fairlead_reporter_${name}`, help, labelNames, registers });
    const gauge = (name: string, help: string) => new Gauge({ name: `fairlead_reporter_${name}`, help, registers });
    const histogram = (name: string, help: string) =>
      new Histogram({
        name: `fairlead_reporter_${name}`,
        help,
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
        registers,
      });
    this.queueDepth = gauge('queue_depth', 'Applications that wait to be looked at');
    this.pending = gauge('pending_objects', 'Reports that the platform has not taken yet');
    this.overflows = counter('overflows_total', 'Times the queue was full and a rescan was owed');
    this.unchanged = counter('unchanged_total', 'Changes that gave the same report as before');
    this.coalesced = counter('coalesced_total', 'Reports replaced by a newer one before they were sent');
    this.givenUp = counter(
      'given_up_total',
      'Reports given up unsent: too many of one object without a spool, or damaged',
    );
    this.spoolBytes = gauge('spool_bytes', 'Reports that must be seen, on disk until the platform took them');
    this.sent = counter('sent_objects_total', 'Objects by outcome: applied, ignored, quarantined, refused', [
      'outcome',
    ]);
    this.sendFailures = counter('send_failures_total', 'Batches that were not taken and are sent again');
    this.digests = counter('digests_total', 'Comparisons with the platform');
    this.buildSeconds = histogram('build_seconds', 'From looking at an application to its report');
    this.sendSeconds = histogram('send_seconds', 'From a batch leaving to its receipt');
  }
}
