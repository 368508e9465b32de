// Settings of a role: from flags (`--listen-port 1`) or the environment (`FAIRLEAD_LISTEN_PORT=1`), flags first.
// A role names every setting it knows; an unknown or misspelt flag is refused before anything starts.
import { TerminalError } from './errors.ts';

interface Setting {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly help: string;
  readonly default?: string | number | boolean;
  readonly optional?: true;
  /** Where the environment has it under a name that others gave it; ours comes first. */
  readonly env?: string;
}
export type Settings = Readonly<Record<string, Setting>>;

type ValueOf<S extends Setting> = S['type'] extends 'integer' ? number : S['type'] extends 'boolean' ? boolean : string;
export type Config<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends { optional: true } ? ValueOf<S[K]> | undefined : ValueOf<S[K]>;
};

export class ConfigError extends TerminalError {
  constructor(message: string) {
    super('bad_config', message);
  }
}

const kebab = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const flagName = (key: string): string => `--${kebab(key)}`;
export const envName = (key: string): string => `FAIRLEAD_${kebab(key).replaceAll('-', '_').toUpperCase()}`;

interface Sources {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function readConfig<S extends Settings>(settings: S, { flags, env }: Sources): Config<S> {
  const given = parseFlags(settings, flags);
  const config: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const text = given.get(key) ?? env[envName(key)] ?? (setting.env && env[setting.env]);
    const value = text === undefined || text === '' ? setting.default : parseValue(key, setting, text);
    if (value === undefined && !setting.optional) {
      throw new ConfigError(`${flagName(key)} (or ${envName(key)}) must be set: ${setting.help}`);
    }
    config[key] = value;
  }
  return config as Config<S>; // every key of `settings` was filled above with a value of its type
}

function parseFlags(settings: Settings, flags: readonly string[]): Map<string, string> {
  const byFlag = new Map(Object.keys(settings).map((key) => [flagName(key), key]));
  const given = new Map<string, string>();
  for (let i = 0; i < flags.length; i++) {
    const [flag = '', inline] = splitOnce(flags[i] ?? '', '=');
    const key = byFlag.get(flag);
    if (!key) throw new ConfigError(`unknown setting ${flag}; known: ${[...byFlag.keys()].join(', ')}`);
    if (settings[key]?.type === 'boolean' && inline === undefined) given.set(key, 'true');
    else {
      const value = inline ?? flags[++i];
      if (value === undefined) throw new ConfigError(`${flag} needs a value`);
      given.set(key, value);
    }
  }
  return given;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseValue(key: string, setting: Setting, text: string): string | number | boolean {
  if (setting.type === 'string') return text;
  if (setting.type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new ConfigError(`${flagName(key)} is ${JSON.stringify(text)}; it must be true or false`);
  }
  if (!/^-?\d+$/.test(text))
    throw new ConfigError(`${flagName(key)} is ${JSON.stringify(text)}; it must be a whole number`);
  return Number(text);
}
