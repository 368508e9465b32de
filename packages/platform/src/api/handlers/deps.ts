import type { Logger } from '@fairlead/base';
import type { Access, GitSight } from '../../access/index.ts';
import type { SealedTexts, SigningKey } from '../../auth/index.ts';
import type { IngestMetrics } from '../../ingest/index.ts';
import type { AddressGuard } from '../../runtime-access/index.ts';
import type { Store } from '../../store/index.ts';
import type { RuntimeTunnels } from '../../tunnel-server/index.ts';
import type { VersionFeedReader } from '../../versions/index.ts';
import type { WebhookDelivery } from '../../webhooks/index.ts';

export interface HandlerDeps {
  readonly store: Store;
  readonly access: Access;
  readonly gitSight: GitSight;
  readonly tunnels: RuntimeTunnels;
  /** Judges URLs of runtimes. */
  readonly guard: AddressGuard;
  readonly signingKey: SigningKey;
  /** Seals secrets of webhooks. */
  readonly sealed: SealedTexts;
  readonly webhooks: WebhookDelivery;
  /** Of the platform itself. */
  readonly version: string;
  readonly versionFeed: VersionFeedReader;
  readonly ingestMetrics: IngestMetrics;
  readonly log: Logger;
  /** Where people reach the platform; known once it listens. */
  readonly publicUrl: () => string;
}
