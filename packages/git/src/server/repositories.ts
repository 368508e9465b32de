// The bare repositories of the built-in server: `<dir>/<org>/<name>.git`.
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exec, mapLimit, newId } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';
import { isRepositoryName } from './repository-path.ts';

/** Writes what git tells it about a finished push to the file the server named; see `GitServer`. */
const postReceiveHook = '#!/bin/sh\nexec cat > "$FAIRLEAD_PUSH_REPORT"\n';

export class Repositories {
  readonly dir: string;
  readonly #creating = new Map<string, Promise<void>>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Kept out of reach of clients: their organisation names cannot begin with a dot. */
  get hooksDir(): string {
    return join(this.dir, '.fairlead', 'hooks');
  }

  get reportsDir(): string {
    return join(this.dir, '.fairlead', 'pushes');
  }

  async prepare(): Promise<void> {
    await rm(this.reportsDir, { recursive: true, force: true });
    await mkdir(this.hooksDir, { recursive: true });
    await mkdir(this.reportsDir, { recursive: true });
    const hook = join(this.hooksDir, 'post-receive');
    await writeFile(hook, postReceiveHook);
    await chmod(hook, 0o755);
  }

  gitDirOf(repository: string): string {
    return join(this.dir, `${repository}.git`);
  }

  exists(repository: string): Promise<boolean> {
    return access(join(this.gitDirOf(repository), 'HEAD')).then(
      () => true,
      () => false,
    );
  }

  /** Full names, in order. What is not a repository of ours is left out. */
  async list(): Promise<string[]> {
    const organisations = (await readdir(this.dir, { withFileTypes: true })).filter(
      (entry) => entry.isDirectory() && isRepositoryName(entry.name),
    );
    const found = await mapLimit(organisations, 8, async ({ name: organisation }) => {
      const files = await readdir(join(this.dir, organisation));
      const names = files.filter((file) => file.endsWith('.git')).map((file) => file.slice(0, -4));
      return names.filter(isRepositoryName).map((name) => `${organisation}/${name}`);
    });
    return found.flat().sort();
  }

  /** Two first pushes at once make one repository; a crash half-way leaves none. */
  create(repository: string): Promise<void> {
    const running = this.#creating.get(repository);
    if (running) return running;
    const creating = this.#create(repository).finally(() => this.#creating.delete(repository));
    this.#creating.set(repository, creating);
    return creating;
  }

  async #create(repository: string): Promise<void> {
    if (await this.exists(repository)) return;
    const gitDir = this.gitDirOf(repository);
    const making = join(this.dir, '.fairlead', newId('new'));
    await mkdir(dirname(gitDir), { recursive: true });
    const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', making];
    await exec('git', args, { env: gitEnvironment(), timeoutMs: 30_000 });
    await rename(making, gitDir);
  }
}
