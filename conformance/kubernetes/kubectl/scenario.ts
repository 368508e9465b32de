// What a person types, as data: shell lines with kubectl in them, run in a folder of their own against a namespace of
// their own, which is the scenario's name.

export interface Line {
  readonly run: string;
  /** Run again until what is printed matches: controllers need their time. */
  readonly until?: RegExp;
}

export interface Scenario {
  /** Also the namespace. */
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly lines: readonly (string | Line)[];
}

export interface Outcome {
  readonly run: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const scenario = (
  name: string,
  files: Readonly<Record<string, string>>,
  ...lines: readonly (string | Line)[]
): Scenario => ({ name, files, lines });

export const until = (run: string, pattern: RegExp): Line => ({ run, until: pattern });
