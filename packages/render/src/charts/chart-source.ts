// Charts that come from somewhere else than the repository of the application.
import type { ApplicationSource } from '@fairlead/contracts';

export interface ChartReference {
  /** `https://…`, `oci://…`, a registry without a scheme, or `@name` and `alias:name` of a known repository. */
  readonly repository: string;
  readonly name: string;
  /** A version or a range; '' means the newest. */
  readonly version: string;
}

export interface ResolvedChart {
  readonly version: string;
  /** SHA-256 of the archive, in hex; '' when the repository does not tell before the download. */
  readonly digest: string;
}

export interface FetchedChart extends ResolvedChart {
  /** A gzipped tar whose SHA-256 is `digest`. */
  readonly content: Buffer;
}

interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Ask the repository whatever was learned from it a moment ago. */
  readonly fresh?: boolean | undefined;
}

export interface ChartSource {
  resolve(reference: ChartReference, options?: FetchOptions): Promise<ResolvedChart>;
  fetch(reference: ChartReference, options?: FetchOptions): Promise<FetchedChart>;
}

/** An input of a render: what was asked for, and what was taken. */
export interface UsedChart extends ChartReference {
  readonly taken: string;
  readonly digest: string;
}

/** What is known of a repository: an Argo CD Secret of type `helm`. */
export interface ChartRepository {
  /** By which Chart.yaml may call it (`@name`). */
  readonly name?: string | undefined;
  readonly url: string;
  /** Holds for every URL that begins with this one. */
  readonly isTemplate?: boolean | undefined;
  readonly isOci?: boolean | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly bearerToken?: string | undefined;
  /** PEM. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  /** PEM, in place of the authorities of the system. */
  readonly authorities?: string | undefined;
  /** Do not verify the server's certificate. */
  readonly insecure?: boolean | undefined;
  /** An http proxy, for everything that is asked on behalf of the repository. */
  readonly proxy?: string | undefined;
  /** Hosts that are asked without it, separated by commas. */
  readonly noProxy?: string | undefined;
  /** OCI over http. */
  readonly plainHttp?: boolean | undefined;
}

/** The chart that a source is; undefined for folders in Git. `oci://host/path/name` names one without `chart`. */
export function chartOfSource({ repoURL, chart }: ApplicationSource, version: string): ChartReference | undefined {
  if (chart) return { repository: repoURL, name: chart, version };
  const [, repository, name] = /^(oci:\/\/.+)\/([^/]+)\/?$/.exec(repoURL) ?? [];
  return repository === undefined || name === undefined ? undefined : { repository, name, version };
}
