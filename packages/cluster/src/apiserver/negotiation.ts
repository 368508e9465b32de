// Which form of an answer the client takes: plain JSON, a Table of cells, or metadata only.

export type Form = 'json' | 'table' | 'metadata';

export interface Accepted {
  readonly form: Form;
  readonly gzip: boolean;
}

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function parseAccept(header: string | undefined): readonly MediaRange[] {
  return (header ?? '*/*').split(',').map((range) => {
    const [type = '', ...rest] = range.split(';').map((part) => part.trim());
    const pairs = rest.map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=');
      return [key, value];
    });
    return { type, parameters: new Map(pairs) };
  });
}

const isJson = (type: string) =>
  type === 'application/json' || type === '*/*' || type === 'application/*' || type === 'application/yaml';

/** The first form in the client's order that we have; undefined when there is none. */
export function negotiate(accept: string | undefined, acceptEncoding: string | undefined): Accepted | undefined {
  const gzip = /\bgzip\b/.test(acceptEncoding ?? '');
  for (const { type, parameters } of parseAccept(accept)) {
    if (!isJson(type)) continue;
    const as = parameters.get('as');
    if (as === undefined) return { form: 'json', gzip };
    if (as === 'Table' && parameters.get('v') === 'v1') return { form: 'table', gzip };
    if (as.startsWith('PartialObjectMetadata') && parameters.get('v') === 'v1') return { form: 'metadata', gzip };
  }
  return undefined;
}

const discoveryType = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** The version of aggregated discovery to answer with; undefined for the plain form. */
export function aggregatedDiscovery(accept: string | undefined): { version: string; contentType: string } | undefined {
  for (const { type, parameters } of parseAccept(accept)) {
    if (type !== 'application/json') continue;
    const version = parameters.get('v') ?? '';
    const isAggregated =
      parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('as') === 'APIGroupDiscoveryList';
    if (!isAggregated) return undefined;
    if (version === 'v2' || version === 'v2beta1') return { version, contentType: discoveryType(version) };
  }
  return undefined;
}
