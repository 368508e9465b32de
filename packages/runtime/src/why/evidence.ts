// What an explanation may be built from. The reporter knows the first part of it at no cost; app-proxy asks for the rest
// (live objects of pods, events, last log lines) when somebody wants to know more.
import type { Application, ManagedResource, ResourceNode } from '@fairlead/contracts';

export interface KubeEvent {
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
  readonly lastTimestamp?: string;
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
}

export interface ContainerLog {
  readonly pod: string;
  readonly container: string;
  /** The last lines, oldest first. */
  readonly lines: readonly string[];
}

export interface Evidence {
  readonly application: Application;
  readonly nodes: readonly ResourceNode[];
  readonly managed: readonly ManagedResource[];
  /** Live Pods below the application, as Kubernetes gives them. */
  readonly pods?: readonly PodObject[];
  readonly events?: readonly KubeEvent[];
  readonly logs?: readonly ContainerLog[];
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly message?: string; readonly exitCode?: number };
}

export interface PodObject {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}
