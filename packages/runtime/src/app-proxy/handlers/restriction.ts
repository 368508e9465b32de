// The limits of a restricted Git Source: asked for, read back, and written beside it. Only where the engine keeps them: an
// Argo CD of others lets an Application choose its project, so that limits there would be words.
import { argoGroup, type GitSourceLimits } from '@fairlead/contracts';
import {
  bringingProjectName,
  type GitSource,
  generatedFor,
  gitSourceProjectsFile,
  InvalidConfigurationError,
  limitsIn,
  projectsOf,
  type RuntimePlace,
  readLimits,
  readManifests,
  writeManifests,
} from '../../configuration/index.ts';
import type { Actor } from '../../git-access/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlerDeps } from './deps.ts';

interface Asking {
  readonly place: RuntimePlace;
  readonly user: Actor;
  readonly signal: AbortSignal;
}

type Files = Readonly<Record<string, string>>;

export class Restriction {
  readonly #deps: HandlerDeps;

  constructor(deps: HandlerDeps) {
    this.#deps = deps;
  }

  /** Before one is made: the engine keeps limits, and the names of its projects are free. */
  async assertPossible(name: string, { place, signal }: Asking): Promise<void> {
    const { engine, cluster } = this.#deps;
    const { kind } = await engine.version({ signal });
    if (kind !== 'fairlead') {
      const reason =
        "this runtime's engine is an Argo CD of its own, which would let its applications choose another project";
      throw new InvalidConfigurationError('restricted', `${reason}; set limits in its AppProjects instead`);
    }
    for (const project of [name, bringingProjectName(name)]) {
      const ref = {
        group: argoGroup,
        version: 'v1alpha1',
        kind: 'AppProject',
        namespace: place.namespace,
        name: project,
      };
      const known = await cluster().find(ref, { signal });
      if (!known || generatedFor(known) === name) continue;
      const message = `name: a project named ${project} is there already; choose another name for the Git Source`;
      throw new ProxyError('conflict', message, { details: { field: 'name' } });
    }
  }

  /** Undefined for a Git Source without limits of its own. */
  async read({ name, applicationsProject }: GitSource, asking: Asking): Promise<GitSourceLimits | undefined> {
    if (applicationsProject === undefined) return undefined;
    const { place, user, signal } = asking;
    const file = gitSourceProjectsFile(place.runtime, name);
    const found = await this.#deps.sharedConfig.readFile(user, place, file, { signal });
    const limits = found && limitsIn(readManifests(found.text, file), applicationsProject, this.#placeOf(place));
    if (limits) return limits;
    throw new InvalidConfigurationError(file, `does not hold project ${applicationsProject} of Git Source ${name}`);
  }

  /** To be committed together with the Git Source. */
  files(source: GitSource, limits: GitSourceLimits | undefined, place: RuntimePlace): Files {
    if (!limits) return {};
    const own = this.#placeOf(place);
    const projects = projectsOf(source, readLimits(limits, own), own);
    return { [gitSourceProjectsFile(place.runtime, source.name)]: writeManifests(projects) };
  }

  #placeOf({ namespace }: RuntimePlace) {
    return { namespace, runtimeNamespace: this.#deps.runtimeNamespace };
  }
}
