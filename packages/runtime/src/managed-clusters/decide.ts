// What to do with a cluster's Secret, from what Git says. Pure.

import type { Application } from '@fairlead/contracts';
import { equalJson, type KubeObject } from '@fairlead/kube';
import { type ClusterMarks, clusterMarksOf } from '../configuration/index.ts';
import {
  inGitAnnotation,
  marksOf,
  marksPatch,
  type SecretType,
  secretTypes,
  typeLabel,
  unlinkedAtAnnotation,
} from './cluster-secret.ts';

/** An Application that somebody deleted by hand is back within this; one that Git removed is not. */
const graceMs = 3_000;
/** A commit that unlinks is seen by the engine within this; an Application that is still there then is there by Git. */
const leavingMs = 60_000;
/** So long a revert brings a cluster back without new credentials. */
const keptMs = 7 * 24 * 3600_000;

export interface Seen {
  readonly secret: KubeObject;
  /** The cluster's Application, while Git has it. */
  readonly application: Application | undefined;
  /** How long it has been away. */
  readonly missingMs: number;
  readonly nowMs: number;
}

export type Decision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'forget' }
  | { readonly do: 'patch'; readonly why: string; readonly metadata: object };

const nothing: Decision = { do: 'nothing' };

export function decide(seen: Seen): Decision {
  const type = seen.secret.metadata.labels?.[typeLabel] as SecretType | undefined; // by the selector of the query
  if (type === secretTypes.linked) return seen.application ? followed(seen, seen.application) : missing(seen);
  return type === secretTypes.leaving ? leaving(seen) : unlinked(seen);
}

function followed({ secret }: Seen, application: Application): Decision {
  const git = clusterMarksOf(application);
  const has = marksOf(secret);
  const isNew = secret.metadata.annotations?.[inGitAnnotation] === undefined;
  const changed: ClusterMarks = {
    labels: git.labels && !equalJson(git.labels, has.labels) ? git.labels : undefined,
    annotations: git.annotations && !equalJson(git.annotations, has.annotations) ? git.annotations : undefined,
  };
  const isChanged = changed.labels !== undefined || changed.annotations !== undefined;
  if (!isNew && !isChanged) return nothing;
  const patch = marksPatch(secret, changed) as { annotations?: object };
  const annotations = { ...patch.annotations, [inGitAnnotation]: 'true' };
  return { do: 'patch', why: isChanged ? 'labels as in Git' : 'is in Git', metadata: { ...patch, annotations } };
}

function missing({ secret, missingMs, nowMs }: Seen): Decision {
  if (secret.metadata.annotations?.[inGitAnnotation] === undefined) return nothing; // never was Git's
  if (missingMs < graceMs) return { do: 'wait', ms: graceMs - missingMs };
  return turned(secretTypes.unlinked, 'unlinked: Git no longer names it', new Date(nowMs).toISOString());
}

function leaving({ secret, application, nowMs }: Seen): Decision {
  const sinceMs = nowMs - unlinkedAtOf(secret);
  if (!application)
    return turned(secretTypes.unlinked, 'unlinked', secret.metadata.annotations?.[unlinkedAtAnnotation]);
  if (sinceMs < leavingMs) return { do: 'wait', ms: leavingMs - sinceMs };
  return turned(secretTypes.linked, 'linked again: Git still names it', null);
}

function unlinked({ secret, application, nowMs }: Seen): Decision {
  if (application) return turned(secretTypes.linked, 'linked again: Git names it', null);
  const leftMs = keptMs - (nowMs - unlinkedAtOf(secret));
  return leftMs > 0 ? { do: 'wait', ms: leftMs } : { do: 'forget' };
}

/** Null removes the time. */
function turned(type: SecretType, why: string, at: string | null | undefined): Decision {
  const annotations = at === undefined ? {} : { annotations: { [unlinkedAtAnnotation]: at } };
  return { do: 'patch', why, metadata: { labels: { [typeLabel]: type }, ...annotations } };
}

const unlinkedAtOf = ({ metadata }: KubeObject): number =>
  Date.parse(metadata.annotations?.[unlinkedAtAnnotation] ?? '') || 0;
