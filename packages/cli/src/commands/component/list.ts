import type { ApiClient, RuntimeReport, RuntimeRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { type Column, plain } from '../../output/index.ts';
import { addListByRuntime } from '../list-by-runtime.ts';

type Component = RuntimeReport['components'][number] & { readonly runtime: string };

const columns: Column<Component>[] = [
  { title: 'RUNTIME', value: ({ runtime }) => runtime },
  { title: 'COMPONENT', value: ({ name }) => name },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'HEALTH', value: ({ health }) => health },
  { title: 'REASON', value: ({ message }) => plain(message ?? '') },
];

export function addComponentList(component: Command): void {
  addListByRuntime(component, {
    description: 'components of one runtime, or of all, with their versions',
    list: async (api, { runtime }) => ({ items: (await runtimes(api, runtime)).flatMap(componentsOf) }),
    columns: () => columns,
  });
}

const runtimes = async (api: ApiClient, runtime: string | undefined) =>
  runtime === undefined
    ? (await api.call('listRuntimes', {})).items
    : [await api.call('getRuntime', { params: { runtime } })];

const componentsOf = ({ name, report }: RuntimeRow): Component[] =>
  (report?.components ?? []).map((each) => ({ ...each, runtime: name }));
