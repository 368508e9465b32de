import { type AccessRule, ruledEntities } from '@fairlead/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldProblems, keys, teamsQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { CheckField, Choice, FormEnd, ModalDialog, Notice, TextInput } from '../../ui/index.ts';
import { type Conflict, ConflictNotice, conflictOf } from '../conflict/index.ts';
import { type AccessForm, attributeNames, entities, entityNouns, formOf, ruleOf, withEntity } from './access-form.ts';
import { AccessPreviewTable } from './access-preview.tsx';

interface AccessRuleDialogProps {
  readonly rule: AccessRule | undefined;
  readonly onClose: () => void;
}

/** The form, then who gains and loses by it, then the save. A change after the look asks for another look. */
export function AccessRuleDialog({ rule, onClose }: AccessRuleDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(rule));
  const [baseSha, setBase] = useState(rule?.commit);
  const preview = useChange(
    (next: AccessForm) =>
      api.call('previewAccessRules', { body: { ...(rule && { id: rule.id }), rule: ruleOf(next) } }),
    [],
  );
  const save = useChange(
    (next: AccessForm) =>
      rule
        ? api.call('updateAccessRule', {
            params: { rule: rule.id },
            body: { ...ruleOf(next), ...(baseSha && { baseSha }) },
          })
        : api.call('createAccessRule', { body: ruleOf(next) }),
    [keys.accessRules],
  );
  const set = (part: Partial<AccessForm>) => {
    setForm({ ...form, ...part });
    preview.reset();
  };
  const isComplete = form.name !== '' && form.teams.length > 0 && form.actions.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (preview.data) save.mutate(form, { onSuccess: onClose });
    else preview.mutate(form);
  };
  const conflict = conflictOf(save.error);
  const error = conflict ? null : (save.error ?? preview.error);
  // The preview has the rule as a part of its request.
  const nameProblem = fieldProblems(error)['name'] ?? fieldProblems(error)['rule.name'];
  const takeTheirs = () => void client.invalidateQueries({ queryKey: keys.accessRules }).then(onClose);
  const keepMine = ({ head }: Conflict) => {
    setBase(head);
    save.reset();
  };
  return (
    <ModalDialog title={rule ? `Rule ${rule.name}` : 'New access rule'} isOpen onClose={onClose} width="max-w-[680px]">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput
            label="Name"
            value={form.name}
            onChange={(name) => set({ name })}
            isRequired
            error={nameProblem}
            placeholder="payments-sync"
          />
          <Choice
            label="Effect"
            value={form.effect}
            options={[
              { value: 'allow', label: 'Allow' },
              { value: 'deny', label: 'Deny (wins over every allow)' },
            ]}
            onChange={(effect) => set({ effect })}
          />
        </div>
        <Choice
          label="On"
          value={form.entity}
          options={entities.map((entity) => ({ value: entity, label: entityNouns[entity][1] }))}
          onChange={(entity) => set(withEntity(form, entity))}
        />
        <Teams chosen={form.teams} onChoose={(teams) => set({ teams })} />
        <Actions form={form} onChange={set} />
        <Attributes form={form} onChange={set} />
        {conflict ? (
          <ConflictNotice conflict={conflict} onResolve={(isMine) => (isMine ? keepMine(conflict) : takeTheirs())} />
        ) : null}
        {error && !nameProblem ? (
          <Notice kind="error" title="The rule was not accepted.">
            {error.message}
          </Notice>
        ) : null}
        {preview.data ? <AccessPreviewTable preview={preview.data} /> : null}
        <FormEnd onCancel={onClose} isDisabled={!isComplete} isPending={preview.isPending || save.isPending}>
          {preview.data ? 'Save the rule' : 'See who gains and loses'}
        </FormEnd>
      </form>
    </ModalDialog>
  );
}

interface PartProps {
  readonly form: AccessForm;
  readonly onChange: (part: Partial<AccessForm>) => void;
}

function Teams({
  chosen,
  onChoose,
}: {
  readonly chosen: readonly string[];
  readonly onChoose: (teams: readonly string[]) => void;
}) {
  const { data: teams = [] } = useQuery(teamsQuery(useApi()));
  const offered = ['*', ...new Set([...teams.map(({ name }) => name), ...chosen.filter((team) => team !== '*')])];
  return (
    <fieldset className="grid gap-2 sm:grid-cols-3">
      <legend className="mb-2 text-sm font-medium">Teams</legend>
      {offered.map((team) => (
        <CheckField
          key={team}
          label={team === '*' ? 'everybody' : team}
          {...(team === '*' ? { hint: 'Every member.' } : {})}
          isSelected={chosen.includes(team)}
          onChange={(isIn) => onChoose(isIn ? [...chosen, team] : chosen.filter((other) => other !== team))}
        />
      ))}
    </fieldset>
  );
}

function Actions({ form: { entity, actions }, onChange }: PartProps) {
  return (
    <fieldset className="grid gap-2 sm:grid-cols-3">
      <legend className="mb-2 text-sm font-medium">Actions</legend>
      {ruledEntities[entity].actions.map((action) => (
        <CheckField
          key={action}
          label={action.toLowerCase().replaceAll('_', ' ')}
          isSelected={actions.includes(action)}
          onChange={(isIn) =>
            onChange({ actions: isIn ? [...actions, action] : actions.filter((other) => other !== action) })
          }
        />
      ))}
    </fieldset>
  );
}

function Attributes({ form: { entity, attributes }, onChange }: PartProps) {
  const offered = [...attributeNames, 'labels' as const].filter((name) =>
    ruledEntities[entity].attributes.includes(name),
  );
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 text-sm font-medium">
        On {entityNouns[entity][1]} with (all that are given must match; * and ? are patterns)
      </legend>
      {offered.map((name) => (
        <TextInput
          key={name}
          label={name}
          isMono
          value={attributes[name]}
          placeholder={name === 'labels' ? 'team=payments' : 'any'}
          onChange={(value) => onChange({ attributes: { ...attributes, [name]: value } })}
        />
      ))}
    </fieldset>
  );
}
