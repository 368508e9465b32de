import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './index.ts';

const settings = {
  listenPort: { type: 'integer', default: 0, help: 'where to listen' },
  dataDir: { type: 'string', help: 'where to keep data' },
  verbose: { type: 'boolean', default: false, help: 'say more' },
  proxyUrl: { type: 'string', optional: true, help: 'a proxy' },
} as const;

const read = (flags: string[], env: Record<string, string> = {}) => readConfig(settings, { flags, env });

describe('readConfig', () => {
  it('takes flags before the environment before defaults', () => {
    const config = read(['--data-dir', '/a', '--verbose'], { FAIRLEAD_DATA_DIR: '/b', FAIRLEAD_LISTEN_PORT: '9' });
    expect(config).toEqual({ listenPort: 9, dataDir: '/a', verbose: true, proxyUrl: undefined });
  });

  it.each([
    ['an unknown flag', ['--data-dri', '/a'], /unknown setting --data-dri.*--data-dir/],
    ['a missing setting', [], /--data-dir \(or FAIRLEAD_DATA_DIR\) must be set: where to keep data/],
    ['a bad number', ['--data-dir=/a', '--listen-port=x'], /--listen-port is "x"; it must be a whole number/],
    ['a bad boolean', ['--data-dir=/a', '--verbose=yes'], /it must be true or false/],
    ['a flag without value', ['--data-dir'], /--data-dir needs a value/],
  ])('refuses %s and says what to do', (_, flags, message) => {
    expect(() => read(flags)).toThrow(ConfigError);
    expect(() => read(flags)).toThrow(message);
  });
});
