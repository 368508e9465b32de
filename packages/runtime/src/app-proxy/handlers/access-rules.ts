// Access rules in the Shared Configuration Repository, as the acting user may read and change them. Each change is one
// commit of theirs; that the rules hold follows from the commit, by the report of it.
import type { AccessRulesReport } from '@fairlead/contracts';
import { accessRuleFile, assertName, placed, type RuntimePlace, writeAccessRule } from '../../configuration/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';

type Names = 'readAccessRuleFiles' | 'saveAccessRuleFile' | 'removeAccessRuleFile';

export function accessRuleHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const { sharedConfig } = deps;
  return {
    async readAccessRuleFiles({ user, signal }) {
      const place = await sharedConfig.require(ownName(deps), { signal });
      return (await sharedConfig.readAccessRules(user, place, { signal })).report;
    },

    async saveAccessRuleFile({ params, body: { baseSha, ...body }, user, signal }) {
      const place = await sharedConfig.require(ownName(deps), { signal });
      const { report, commit: head } = await sharedConfig.readAccessRules(user, place, { signal });
      const known = fileOf(report, place, params.accessRule);
      if (baseSha !== undefined && known === undefined) {
        const message = `access rule ${params.accessRule} was removed or renamed since you looked at it`;
        throw new ProxyError('conflict', message, { details: { head, theirs: '', yours: writeAccessRule(body) } });
      }
      const file = accessRuleFile(assertName('name', body.name));
      const isRenamed = body.name !== params.accessRule;
      const target = known === undefined || isRenamed ? file : known;
      const taken = report.rules.find((each) => below(place, each.file) === target || each.rule.name === body.name);
      if (taken && taken.rule.name !== params.accessRule) {
        throw new ProxyError('conflict', `name: ${taken.file} holds the access rule ${taken.rule.name} already`);
      }
      const text = writeAccessRule(body);
      const files = { [target]: text, ...(known !== undefined && known !== target ? { [known]: null } : {}) };
      const message = `${known === undefined ? 'Add' : 'Change'} access rule ${body.name}`;
      return { commit: await sharedConfig.commit(user, place, { files, message, base: baseSha ?? head }, { signal }) };
    },

    async removeAccessRuleFile({ params, query, user, signal }) {
      const place = await sharedConfig.require(ownName(deps), { signal });
      const { report, commit: head } = await sharedConfig.readAccessRules(user, place, { signal });
      const file = fileOf(report, place, params.accessRule);
      if (file === undefined) {
        const message = `there is no access rule ${params.accessRule} in the Shared Configuration Repository`;
        throw new ProxyError('not_found', message);
      }
      const base = query.baseSha ?? head;
      const change = { files: { [file]: null }, message: `Remove access rule ${params.accessRule}`, base };
      return { commit: await sharedConfig.commit(user, place, change, { signal }) };
    },
  };
}

function fileOf({ rules }: AccessRulesReport, place: RuntimePlace, name: string): string | undefined {
  const found = rules.find(({ rule }) => rule.name === name);
  return found && below(place, found.file);
}

/** The path below the folder of the address, as changes name it. */
const below = ({ sharedConfig }: RuntimePlace, file: string) => file.slice(placed(sharedConfig.path, '').length);
