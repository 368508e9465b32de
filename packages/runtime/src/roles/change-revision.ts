import { type Clock, ConfigError, Counter, createRegistry, defineRole, type Logger, systemClock } from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { checkConnectionPlace, type KubeClient } from '@fairlead/kube';
import { ChangeRevisionController, type ChangeRevisionWriting, keepsField } from '../change-revision/index.ts';
import { ensureSourceKey, SourceClient } from '../source-server/index.ts';
import { connectCluster } from './cluster-access.ts';
import { serveProbes } from './probes.ts';
import { clusterSettings, sourceSettings } from './settings.ts';

const ways: readonly (ChangeRevisionWriting | 'auto')[] = ['auto', 'field', 'annotation', 'remove'];

export const changeRevisionRole = defineRole({
  name: 'change-revision',
  settings: {
    ...clusterSettings,
    ...sourceSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of Applications; * watches all',
      default: defaultEngineNamespace,
    },
    changeRevisionWriting: {
      type: 'string',
      help: 'where it is written: auto (field where the cluster keeps it, else nothing), field, annotation (an Argo CD of others), remove (take the annotation away)',
      default: 'auto',
    },
    changeRevisionPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const asked = ways.find((way) => way === config.changeRevisionWriting);
    if (!asked) {
      throw new ConfigError(`changeRevisionWriting is ${config.changeRevisionWriting}; it must be ${ways.join(', ')}`);
    }
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('change-revision');
    const found = new Counter({
      name: 'fairlead_change_revision_total',
      help: 'Synchronisations by outcome: found, none, failed',
      labelNames: ['outcome'],
      registers: [registry],
    });
    const isAll = config.engineNamespace === '*';
    let isWatching = false;
    const run = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      const writing = await wayOf(asked, client, { log, signal, clock });
      if (writing === undefined) {
        isWatching = true; // there is nothing to do, and that is as it should be
        return client.close();
      }
      const key = (call: { signal: AbortSignal }) =>
        ensureSourceKey(client, { namespace: config.runtimeNamespace, ...call });
      const sources = new SourceClient({ url: config.sourceServerUrl, key });
      const controller = new ChangeRevisionController(
        { client, sources, found, log, clock },
        {
          namespace: isAll ? undefined : config.engineNamespace,
          writing,
        },
      );
      const onWatching = () => {
        isWatching = true;
      };
      await controller.run({ signal, onWatching }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      await client.close();
    };
    lifecycle.background('change revision', run());
    return serveProbes(config.changeRevisionPort, {
      registry,
      lifecycle,
      waitsFor: () => (isWatching ? undefined : 'it has not seen all applications yet'),
    });
  },
});

/** Undefined: nothing is to be written. A field that the cluster would drop is refused when it was asked for by name. */
async function wayOf(
  asked: ChangeRevisionWriting | 'auto',
  client: KubeClient,
  { log, signal, clock }: { readonly log: Logger; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<ChangeRevisionWriting | undefined> {
  if (asked === 'annotation' || asked === 'remove' || (await keepsField(client, { signal, clock }))) {
    return asked === 'auto' ? 'field' : asked;
  }
  const reason =
    "the cluster's Applications are those of an Argo CD of others, which drop the field of the change revision";
  const advice = 'changeRevisionWriting=annotation writes one annotation instead';
  if (asked === 'field') throw new ConfigError(`changeRevisionWriting is field, but ${reason}; ${advice}`);
  log.warn(`no change revisions are written: ${reason}; ${advice}`);
  return undefined;
}
