// What a render asks of the programs `helm` and `kustomize`: one run over files that it hands over. The program sees
// those files and nothing else of the repository, so what the render read to make them is all that the answer depends on.

export type ProgramName = 'helm' | 'kustomize';

export interface ProgramFile {
  /** Relative, below the folder in which the program runs. */
  readonly path: string;
  readonly content: Uint8Array;
}

export interface ProgramCall {
  readonly program: ProgramName;
  readonly args: readonly string[];
  readonly files: readonly ProgramFile[];
}

export interface ProgramSource {
  /** Another one whenever a program is another; part of the keys of what is kept. */
  identity(): Promise<string>;
  /** What the program wrote. */
  run(call: ProgramCall, options?: { signal?: AbortSignal | undefined }): Promise<string>;
}
