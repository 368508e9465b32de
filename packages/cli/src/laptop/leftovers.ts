// For commands: ends everything that a killed start left running in a home, its roles before the database that they use.
import { join } from 'node:path';
import { silentLogger, systemClock } from '@fairlead/base';
import { databaseDirOf, endLeftBehind, type Home } from '../home/index.ts';
import { stopLeftover } from './postgres/index.ts';

/** Whether PostgreSQL was among it. */
export async function stopLeftovers(home: Home): Promise<boolean> {
  const waiting = { signal: new AbortController().signal, clock: systemClock }; // ends by deadlines of its own
  await endLeftBehind(home, waiting);
  return stopLeftover(join(databaseDirOf(home), 'postgres'), { log: silentLogger, ...waiting });
}
