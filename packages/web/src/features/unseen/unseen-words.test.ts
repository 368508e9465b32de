import { expect, it } from 'vitest';
import { type UnseenFacts, unseenWords } from './unseen-words.ts';

const facts: UnseenFacts = { by: 'git', teams: [], checking: 0, withoutToken: [] };

it('says that no rule gives anything, to which teams, and whom to ask', () => {
  const alone = unseenWords({ ...facts, by: 'rules', checking: 3, withoutToken: ['hosted'] });
  expect(alone.title).toBe('No access rule lets you see applications');
  expect(alone.text).toMatch(/You are in no team\. Ask an administrator/);
  expect(alone.link).toBeUndefined();
  expect(unseenWords({ ...facts, by: 'rules', teams: ['shop', 'bank'] }).text).toContain('You are in shop and bank.');
});

it('says what is looked up before it says that something is missing', () => {
  const { title, text } = unseenWords({ ...facts, checking: 3, withoutToken: ['hosted'] });
  expect(title).toBe('Your Git rights are being looked up');
  expect(text).toContain('3 repositories are being asked about.');
});

it('names the runtimes that have no token, or what to do with the tokens there are', () => {
  const missing = unseenWords({ ...facts, withoutToken: ['eu', 'us'] });
  expect([missing.title, missing.link]).toEqual(['Your Git token is missing', 'Add your Git token']);
  expect(missing.text).toContain('given none to eu and us. Add it');
  expect(unseenWords(facts)).toMatchObject({ text: /Ask who owns the repository/, link: 'Your Git tokens' });
});
