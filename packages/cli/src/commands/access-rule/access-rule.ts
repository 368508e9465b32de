// Access rules as files: read, changed and removed by commits of who acts. A file that was printed here names the commit it was
// read at, so that applying it later does not silently undo what somebody else did meanwhile.
import { FairleadError } from '@fairlead/base';
import { type AccessRule, AccessRuleManifest, ApiError, accessRuleKind, checker } from '@fairlead/contracts';
import type { Command } from 'commander';
import { dump } from 'js-yaml';
import { assertCommit, readInput, yamlIn } from '../../input.ts';
import { diffText, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { confirmName } from '../../prompt.ts';

const columns = [
  { title: 'RULE', value: (rule: AccessRule) => rule.name },
  { title: 'EFFECT', value: (rule: AccessRule) => rule.effect },
  { title: 'TEAMS', value: (rule: AccessRule) => plain(rule.teams.join(',')) },
  { title: 'ACTIONS', value: (rule: AccessRule) => rule.actions.join(',') },
  { title: 'FILE', value: (rule: AccessRule) => plain(rule.file ?? '') },
  { title: 'COMMIT', value: (rule: AccessRule) => rule.commit?.slice(0, 12) ?? '' },
];

export function addAccessRuleList(accessRule: Command): void {
  accessRule
    .command('list')
    .description('the access rules of the account, with the file and commit each comes from')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const rules = await platformClient(options).call('listAccessRules', {});
      process.stdout.write(render(format, rules, rules.items, columns));
    });
}

export function addAccessRuleGet(accessRule: Command): void {
  accessRule
    .command('get <name>')
    .description('one access rule as its file, to be changed and given to apply')
    .action(async (name: string, _flags, command: Command) => {
      const { items } = await platformClient(command.optsWithGlobals<GlobalOptions>()).call('listAccessRules', {});
      process.stdout.write(fileOf(named(items, name)));
    });
}

interface ApplyFlags extends GlobalOptions {
  readonly file: string;
  readonly base?: string;
}

export function addAccessRuleApply(accessRule: Command): void {
  accessRule
    .command('apply')
    .description('add an access rule, or change the one of this name, by a commit')
    .requiredOption('-f, --file <file>', 'the rule; - is stdin')
    .option('--base <commit>', 'the commit that the change was made against; default: what the first line says')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<ApplyFlags>();
      assertCommit('--base', flags.base);
      const text = await readInput(flags.file);
      const rule = ruleIn(text, flags.file);
      const api = platformClient(flags);
      const { items } = await api.call('listAccessRules', {});
      const known = items.find(({ name }) => name === rule.name);
      const baseSha = flags.base ?? /^# base: ([0-9a-f]{40})$/m.exec(text)?.[1];
      if (!known && baseSha !== undefined) {
        const message = `access rule ${rule.name} was removed or renamed since ${baseSha.slice(0, 12)}; leave the base out to add it anew`;
        throw new FairleadError('conflict', message);
      }
      const saved = await tellingConflict(text, () =>
        known
          ? api.call('updateAccessRule', {
              params: { rule: known.id },
              body: { ...rule, ...(baseSha === undefined ? {} : { baseSha }) },
            })
          : api.call('createAccessRule', { body: rule }),
      );
      const where = saved.file ? `: ${plain(saved.file)}, commit ${saved.commit?.slice(0, 12) ?? ''}` : '';
      process.stdout.write(`access rule ${saved.name} is ${known ? 'changed' : 'added'}${where}\n`);
    });
}

export function addAccessRuleDelete(accessRule: Command): void {
  accessRule
    .command('delete <name>')
    .description('remove an access rule, by a commit')
    .option('--base <commit>', 'refuse when the rule was changed since this commit')
    .option('--yes', 'do not ask')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions & { yes?: boolean; base?: string }>();
      assertCommit('--base', flags.base);
      const api = platformClient(flags);
      const { id } = named((await api.call('listAccessRules', {})).items, name);
      if (!flags.yes) await confirmName(`Access rule ${name} goes; who may do what changes at once.`, name);
      const query = flags.base === undefined ? {} : { baseSha: flags.base };
      await tellingConflict('', () => api.call('deleteAccessRule', { params: { rule: id }, query }));
      process.stdout.write(`access rule ${name} is removed\n`);
    });
}

function named(rules: readonly AccessRule[], name: string): AccessRule {
  const found = rules.find((rule) => rule.name === name);
  if (found) return found;
  const names = rules.map((rule) => rule.name).join(', ') || 'none';
  throw new FairleadError('not_found', `there is no access rule ${name}; there are: ${names}`);
}

function fileOf({ name, effect, teams, entity, actions, attributes, commit }: AccessRule): string {
  const manifest = { ...accessRuleKind, metadata: { name }, spec: { effect, teams, entity, actions, attributes } };
  return `${commit ? `# base: ${commit}\n` : ''}${dump(manifest, { noRefs: true })}`;
}

const checkManifest = checker(AccessRuleManifest);

function ruleIn(text: string, file: string) {
  const [parsed] = yamlIn(text, file);
  const checked = checkManifest(parsed);
  if (!checked.ok) {
    const [{ field, reason } = { field: '', reason: 'is no access rule' }] = checked.problems;
    throw new FairleadError(
      'bad_input',
      `--file ${file}: ${field || 'the file'} ${reason}; fairlead access-rule get prints one as it must be`,
    );
  }
  const { metadata, spec } = checked.value;
  return { name: metadata.name, ...spec, attributes: spec.attributes ?? {} };
}

/** Both versions, on standard error: the file that was given is left as it is. */
async function tellingConflict<T>(yours: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const theirs = error instanceof ApiError && error.code === 'conflict' ? error.body.details?.['theirs'] : undefined;
    const mine = error instanceof ApiError ? error.body.details?.['yours'] : undefined;
    if (typeof theirs === 'string') {
      process.stderr.write(`- in Git now, + yours\n${diffText(theirs, typeof mine === 'string' ? mine : yours)}`);
    }
    throw error;
  }
}
