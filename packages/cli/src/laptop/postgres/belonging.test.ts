import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDatabase } from './belonging.ts';

describe('the database of a home', () => {
  let dir = '';
  const homeData = () => join(dir, 'home/data');
  const database = () => join(dir, 'outside');
  const claim = () => claimDatabase({ dataDir: homeData(), databaseDir: database() }, silentLogger);
  const makeCluster = (name: string) => {
    mkdirSync(join(database(), 'postgres'), { recursive: true });
    writeFileSync(join(database(), 'postgres', name), '');
  };

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'fairlead-belonging-'));
    for (const path of [homeData(), database()]) mkdirSync(path, { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is found again with the same password', () => {
    const password = claim();
    makeCluster('mine');
    expect(claim()).toBe(password);
    expect(readdirSync(join(database(), 'postgres'))).toEqual(['mine']);
  });

  it('is put aside, not used and not deleted, when its home was deleted by hand', () => {
    const password = claim();
    makeCluster('of the first home');
    rmSync(homeData(), { recursive: true });
    mkdirSync(homeData(), { recursive: true });
    expect(claim()).not.toBe(password);
    expect(existsSync(join(database(), 'postgres'))).toBe(false);
    expect(readdirSync(join(database(), 'postgres-of-deleted-home'))).toEqual(['of the first home']);
  });

  it('is kept by a home of an earlier version, which had a password and no id', () => {
    writeFileSync(join(homeData(), 'postgres-password'), 'from before');
    makeCluster('mine');
    expect(claim()).toBe('from before');
    expect(readdirSync(join(database(), 'postgres'))).toEqual(['mine']);
  });

  it('is kept when a crash of the machine emptied its mark', () => {
    const password = claim();
    makeCluster('mine');
    writeFileSync(join(database(), 'home-id'), '');
    expect(claim()).toBe(password);
    expect(readdirSync(join(database(), 'postgres'))).toEqual(['mine']);
  });

  it('needs no mark where it lies inside the home', () => {
    claimDatabase({ dataDir: homeData(), databaseDir: homeData() }, silentLogger);
    expect(readdirSync(homeData())).toEqual(['postgres-password']);
  });
});
