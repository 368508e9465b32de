import type { RevisionMetadata, SourceAskName } from '@fairlead/contracts';
import type { Manifest, Plan } from '@fairlead/render';

export interface ChartDetails {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the archive. */
  readonly digest: string;
  readonly description?: string;
  readonly home?: string;
  readonly appVersion?: string;
  readonly maintainers?: readonly string[];
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What the source server answers, by what it was asked. */
export interface SourceAnswers {
  /** `revisions`: commits, and versions of charts, by position. */
  manifests: {
    readonly revisions: readonly string[];
    readonly manifests: readonly Manifest[];
    readonly warnings: readonly string[];
  };
  plan: Plan;
  /** By position; null where none can be named. */
  'change-revisions': readonly (string | null)[];
  revision: RevisionMetadata & { readonly revision: string };
  'changed-files': readonly ChangedFile[];
  chart: ChartDetails;
}

export type SourceAnswer<N extends SourceAskName> = SourceAnswers[N];
