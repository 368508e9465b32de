// What a log is of, and how it is read: pods of an application, or a component of a runtime.
import type { ApiClient, ApplicationId, LogLine, RuntimeComponent } from '@fairlead/contracts';
import { type ResourceRef, resourceQuery } from '../../api/index.ts';

export interface LogOptions {
  readonly follow: boolean;
  /** Of the container before its last restart. */
  readonly previous: boolean;
  readonly tail: number;
}

export interface LogSource {
  /** The same for the same log. */
  readonly key: string;
  /** For a file of it. */
  readonly name: string;
  /** Lines may be of several pods: each says which. */
  readonly hasPods: boolean;
  readonly hasPrevious: boolean;
  /** Fields that are the same on every line, and so are not shown. */
  readonly plainFields: readonly string[];
  read(api: ApiClient, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
}

/** Of a pod, or of all pods below a workload. */
export function resourceLog(params: ApplicationId, resource: ResourceRef): LogSource {
  const { kind, name, namespace } = resource;
  const of = kind === 'Pod' ? { pod: name, ...(namespace && { namespace }) } : resourceQuery(resource);
  return {
    key: JSON.stringify([params.runtime, params.namespace, params.name, resource]),
    name,
    hasPods: kind !== 'Pod',
    hasPrevious: true,
    plainFields: [],
    read: (api, { follow, previous, tail }, signal) => {
      const query = { ...of, tail, ...(follow && { follow }), ...(previous && { previous }) };
      return api.stream('streamLogs', { params, query }, { signal });
    },
  };
}

export function componentLog(runtime: string, component: RuntimeComponent): LogSource {
  return {
    key: JSON.stringify([runtime, component]),
    name: `${runtime}-${component}`,
    hasPods: true,
    hasPrevious: false,
    plainFields: ['role'],
    async *read(api, { follow, tail }, signal) {
      const asked = { params: { runtime, component }, query: { tail, ...(follow && { follow }) } };
      for await (const { time, line, pod = '' } of api.stream('streamComponentLogs', asked, { signal }))
        yield { pod, time, line };
    },
  };
}
