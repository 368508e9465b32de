import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeContext, addContext, readContexts, removeContext, targetOf, useContext } from './index.ts';

describe('contexts', () => {
  let dir: string;
  let env: Record<string, string>;
  const work = { name: 'work', url: 'https://fairlead.example.com', apiKey: 'fl_work', runtime: 'prod' };
  const local = () => ({ name: 'local', home: join(dir, 'home') });

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'fairlead-contexts-'));
    env = { FAIRLEAD_CONFIG: join(dir, 'config/contexts.json') };
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('takes the first one into use, and keeps the file to its owner', () => {
    expect(readContexts(env)).toEqual({ items: [] });
    addContext(env, work);
    addContext(env, local());
    expect(readContexts(env)).toMatchObject({ current: 'work', items: [{ name: 'local' }, { name: 'work' }] });
    expect(statSync(env['FAIRLEAD_CONFIG'] ?? '').mode & 0o777).toBe(0o600);
    expect(targetOf(undefined, env)).toMatchObject({ from: 'context work', url: work.url, apiKey: 'fl_work' });
    expect(activeContext(undefined, env)?.runtime).toBe('prod');
  });

  it('uses no keys that others on the machine can read, and says how to close them', () => {
    addContext(env, work);
    chmodSync(env['FAIRLEAD_CONFIG'] ?? '', 0o644);
    expect(() => targetOf(undefined, env)).toThrow(/holds API keys and has mode 644, .*run chmod 600/);
    chmodSync(env['FAIRLEAD_CONFIG'] ?? '', 0o600);
    expect(targetOf(undefined, env).apiKey).toBe('fl_work');
  });

  it('follows a home to the port it has now', () => {
    addContext(env, local());
    expect(() => targetOf(undefined, env)).toThrow(/home.*fairlead up/);
    const home = join(dir, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'api-key'), 'fl_home\n');
    writeFileSync(join(home, 'endpoints.json'), JSON.stringify({ platform: 'http://localhost:3001' }));
    expect(targetOf(undefined, env)).toMatchObject({ url: 'http://localhost:3001', apiKey: 'fl_home' });
    writeFileSync(join(home, 'endpoints.json'), JSON.stringify({ platform: 'http://localhost:3002' }));
    expect(targetOf(undefined, env).url).toBe('http://localhost:3002');
  });

  it('is overruled by --home, then by $FAIRLEAD_CONTEXT, then by $FAIRLEAD_HOME', () => {
    addContext(env, work);
    addContext(env, { name: 'other', url: 'https://other.example.com', apiKey: 'fl_other' });
    expect(activeContext('/somewhere', { ...env, FAIRLEAD_CONTEXT: 'other' })).toBeUndefined();
    expect(activeContext(undefined, { ...env, FAIRLEAD_CONTEXT: 'other', FAIRLEAD_HOME: '/x' })?.name).toBe('other');
    expect(activeContext(undefined, { ...env, FAIRLEAD_HOME: '/x' })).toBeUndefined();
    expect(activeContext(undefined, env)?.name).toBe('work');
  });

  it('refuses names that are not there, and says which are', () => {
    addContext(env, work);
    for (const act of [() => useContext(env, 'wrok'), () => removeContext(env, 'wrok')]) {
      expect(act).toThrow('name: there is no context wrok; there: work; fairlead context add makes one');
    }
    expect(() => activeContext(undefined, { ...env, FAIRLEAD_CONTEXT: 'x' })).toThrow('$FAIRLEAD_CONTEXT');
    expect(() => addContext(env, { name: 'a/b', home: dir })).toThrow('name "a/b"');
  });

  it('has none in use after the one in use was removed', () => {
    addContext(env, work);
    addContext(env, local());
    useContext(env, 'local');
    expect(removeContext(env, 'local')).toEqual({ items: [work] });
    expect(activeContext(undefined, env)).toBeUndefined();
  });
});
