import { posix } from 'node:path';
import { CallError } from '../errors.ts';
import { GoMap, kindName, type Value } from '../value.ts';
import { define, type Functions, mapOf, text } from './define.ts';

const clean = (path: string): string => {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
};

function base(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

const dir = (path: string): string => clean(path.slice(0, path.lastIndexOf('/') + 1));
const ext = (path: string): string => /\.[^./]*$/.exec(path)?.[0] ?? '';

const one = (call: (path: string) => Value) => define('string', ([path]) => call(text(path)));

export const pathFunctions: Functions = {
  base: one(base),
  dir: one(dir),
  clean: one(clean),
  ext: one(ext),
  isAbs: one((path) => path.startsWith('/')),
  osBase: one(base),
  osDir: one(dir),
  osClean: one(clean),
  osExt: one(ext),
  osIsAbs: one((path) => path.startsWith('/')),
};

const urlForm = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    const bad = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(part)?.[0] ?? '%';
    throw new CallError(`unable to parse url: parse "${part}": invalid URL escape "${bad}"`);
  }
}

function urlParse(url: string): GoMap {
  const [, scheme = '', authority, path = '', query = '', fragment = ''] = urlForm.exec(url) ?? [];
  const at = authority?.lastIndexOf('@') ?? -1;
  const host = authority === undefined ? '' : authority.slice(at + 1);
  const opaque = scheme !== '' && authority === undefined && !path.startsWith('/');
  return new GoMap([
    ['scheme', scheme.toLowerCase()],
    ['host', host],
    ['hostname', host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')],
    ['path', opaque ? '' : decoded(path)],
    ['query', query],
    ['opaque', opaque ? path : ''],
    ['fragment', decoded(fragment)],
    ['userinfo', at >= 0 && authority !== undefined ? authority.slice(0, at) : ''],
  ]);
}

function part(map: GoMap, key: string): string {
  const value = map.entries.get(key);
  if (value === undefined) return '';
  if (typeof value !== 'string') {
    throw new CallError(`unable to parse ${key} key, must be of type string, but ${kindName(value)} found`);
  }
  return value;
}

const encodePath = (path: string): string => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

function urlJoin(map: GoMap): string {
  const [scheme, host, path, query] = [part(map, 'scheme'), part(map, 'host'), part(map, 'path'), part(map, 'query')];
  const [opaque, fragment, user] = [part(map, 'opaque'), part(map, 'fragment'), part(map, 'userinfo')];
  let url = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') url += opaque;
  else {
    if (scheme !== '' || host !== '' || user !== '') {
      if (host !== '' || path !== '' || user !== '') url += '//';
      url += (user === '' ? '' : `${user}@`) + host;
    }
    if (path !== '' && !path.startsWith('/') && host !== '') url += '/';
    url += encodePath(path);
  }
  if (query !== '') url += `?${query}`;
  return fragment === '' ? url : `${url}#${encodePath(fragment)}`;
}

export const urlFunctions: Functions = {
  urlParse: define('string', ([url]) => urlParse(text(url))),
  urlJoin: define('map', ([map]) => urlJoin(mapOf(map))),
  getHostByName: define('string', () => {
    throw new CallError('getHostByName is not available: rendering has no network');
  }),
};
