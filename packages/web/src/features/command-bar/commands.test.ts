import { expect, it } from 'vitest';
import { matchCommands } from './commands.ts';

const commands = ['Go to Applications', 'Go to Runtimes', 'Dark theme'].map((title) => ({ title }));

it('finds commands by the beginnings of their words', () => {
  expect(matchCommands(commands, 'run go').map(({ title }) => title)).toEqual(['Go to Runtimes']);
  expect(matchCommands(commands, 'ark')).toEqual([]);
  expect(matchCommands(commands, ' ')).toEqual(commands);
});
