import type { AccessRule, AccessRuleProblem, RouteResponse, routes } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessRulesQuery, keys } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, ConfirmDialog, classNames, Empty, Failure, Notice, Panel, Skeleton, Table } from '../../ui/index.ts';
import { attributesWords } from './access-form.ts';
import { AccessPreviewTable } from './access-preview.tsx';
import { AccessRuleDialog } from './access-rule-dialog.tsx';
import { GitRightsPanel } from './git-rights-panel.tsx';

type AccessRules = RouteResponse<(typeof routes)['listAccessRules']>;

const columns = ['Rule', 'Teams', 'Actions', 'On applications with', '(Actions)'];

/** Who may do what with which applications. */
export function AccessSection() {
  const { data, error, refetch } = useQuery(accessRulesQuery(useApi()));
  const [edited, setEdited] = useState<AccessRule | 'new'>();
  return (
    <>
      <Panel
        title="Access rules"
        hint={data ? <Default rules={data} /> : undefined}
        actions={
          <Button kind="primary" onPress={() => setEdited('new')}>
            New rule…
          </Button>
        }
      >
        {data?.source ? <BrokenFiles problems={data.source.problems} /> : null}
        {data ? (
          data.items.length === 0 ? (
            <Empty title="No rules yet">
              <p>
                With the first rule that allows something, only what rules allow is allowed. Administrators may do
                everything.
              </p>
            </Empty>
          ) : (
            <Table label="Access rules" columns={columns}>
              {data.items.map((rule) => (
                <RuleLine key={rule.id} rule={rule} onEdit={() => setEdited(rule)} />
              ))}
            </Table>
          )
        ) : error ? (
          <Failure what="the access rules" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-24" />
        )}
        {edited ? (
          <AccessRuleDialog rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        ) : null}
      </Panel>
      {data ? <GitRightsPanel rules={data} /> : null}
    </>
  );
}

const isGitRights = (file: string) => file.endsWith('/git-rights.yaml');
const nounOf = (file: string) => (isGitRights(file) ? 'setting of Git rights' : 'access rule');

/** What was committed and is no rule, with the place to mend it. */
function BrokenFiles({ problems }: { readonly problems: readonly AccessRuleProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <div className="mb-3 flex flex-col gap-2">
      {problems.map(({ file, line, message, holds }) => (
        <Notice key={file} kind="warning" title={`${file}, line ${line}, is not a valid ${nounOf(file)}.`}>
          {message}.{' '}
          {holds ? `Rule ${holds} holds as the file had it last.` : isGitRights(file) ? '' : 'No rule holds for it.'}
        </Notice>
      ))}
    </div>
  );
}

function Default({ rules }: { readonly rules: AccessRules }) {
  const allows = rules.items.some(({ effect }) => effect === 'allow');
  if (allows) return 'Members may what these rules allow; a rule that denies wins.';
  return rules.default === 'open'
    ? 'No rule allows anything, so members may do everything: the account is open.'
    : 'No rule allows anything, so members may nothing: the account is closed.';
}

function RuleLine({ rule, onEdit }: { readonly rule: AccessRule; readonly onEdit: () => void }) {
  const api = useApi();
  const [isDeleting, setDeleting] = useState(false);
  const preview = useQuery({
    queryKey: ['access-preview', rule.id],
    queryFn: ({ signal }) => api.call('previewAccessRules', { body: { id: rule.id } }, { signal }),
    enabled: isDeleting,
    staleTime: 0,
  });
  const remove = useChange(
    () =>
      api.call('deleteAccessRule', {
        params: { rule: rule.id },
        query: rule.commit ? { baseSha: rule.commit } : {},
      }),
    [keys.accessRules],
  );
  return (
    <tr>
      <th scope="row">
        {rule.name}{' '}
        <span
          className={classNames(
            'ml-1 rounded px-1.5 text-xs font-medium',
            rule.effect === 'allow' ? 'bg-healthy-weak text-healthy' : 'bg-degraded-weak text-degraded',
          )}
        >
          {rule.effect === 'allow' ? 'allows' : 'denies'}
        </span>
      </th>
      <td>{rule.teams.map((team) => (team === '*' ? 'everybody' : team)).join(', ')}</td>
      <td className="text-xs text-muted">{rule.actions.join(', ')}</td>
      <td className="text-muted">{attributesWords(rule)}</td>
      <td className="text-right whitespace-nowrap">
        <span className="inline-flex gap-2">
          <Button className="h-7!" aria-label={`Edit rule ${rule.name}`} onPress={onEdit}>
            Edit…
          </Button>
          <Button
            className="h-7!"
            kind="danger"
            aria-label={`Delete rule ${rule.name}`}
            onPress={() => setDeleting(true)}
          >
            Delete…
          </Button>
        </span>
        {isDeleting ? (
          <ConfirmDialog
            title={`Delete rule ${rule.name}`}
            verb="Delete the rule"
            isPending={remove.isPending}
            error={remove.error ?? preview.error}
            onClose={() => setDeleting(false)}
            onConfirm={() => remove.mutate(undefined)}
          >
            {preview.data ? <AccessPreviewTable preview={preview.data} /> : <Skeleton className="h-16" />}
          </ConfirmDialog>
        ) : null}
      </td>
    </tr>
  );
}
