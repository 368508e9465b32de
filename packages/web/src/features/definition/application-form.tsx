// The form of an Application beside its YAML. The text is the only state: each field reads itself from it and writes itself
// into it, so that the two cannot disagree.
import type { ApplicationProblem } from '@fairlead/contracts';
import { useMemo, useState } from 'react';
import { CheckField, Choice, TextInput } from '../../ui/index.ts';
import { isMultiSource, type SettingSection, sectionsOf } from './application-settings.ts';
import { changeText, type ManifestDocument, readDocument } from './manifest-document.ts';
import type { AnySetting, TextSetting } from './settings.ts';

interface ApplicationFormProps {
  readonly text: string;
  readonly problems: readonly ApplicationProblem[];
  readonly onChange: (text: string) => void;
  /** Of one that is there already: another name would be another application. */
  readonly isNameFixed?: boolean;
}

export function ApplicationForm({ text, problems, onChange, isNameFixed = false }: ApplicationFormProps) {
  const document = useMemo(() => readDocument(text), [text]);
  if (!document) {
    return (
      <p className="text-sm text-muted">
        The YAML is not one object that can be read at the moment; the form is back when it is.
      </p>
    );
  }
  const write: Write = (change) => {
    const next = changeText(text, change);
    onChange(next);
    return readDocument(next);
  };
  const fieldsProps = { document, write, problems, isNameFixed };
  return (
    <div className="flex flex-col gap-5">
      {isMultiSource(document) ? (
        <p className="text-sm text-muted">It has several sources; they are edited in the YAML.</p>
      ) : null}
      {sectionsOf(document).map((section) =>
        section.isFolded ? (
          <FoldedSection key={section.title} {...{ section }} {...fieldsProps} />
        ) : (
          <fieldset key={section.title} className="min-w-0">
            <legend className="mb-2 text-sm font-semibold">{section.title}</legend>
            <Fields {...{ section }} {...fieldsProps} />
          </fieldset>
        ),
      )}
    </div>
  );
}

type Write = (change: (document: ManifestDocument) => void) => ManifestDocument | undefined;

interface FieldsProps {
  readonly section: SettingSection;
  readonly document: ManifestDocument;
  readonly write: Write;
  readonly problems: readonly ApplicationProblem[];
  readonly isNameFixed: boolean;
}

const hasValue = (setting: AnySetting, document: ManifestDocument): boolean => {
  if (setting.kind === 'check') return setting.read(document);
  const value = setting.read(document);
  return setting.kind === 'choice' ? value !== setting.options[0]?.value : value !== '';
};

function FoldedSection(props: FieldsProps) {
  const { section, document } = props;
  const said = section.settings.filter((setting) => hasValue(setting, document)).length;
  const [isOpen, setOpen] = useState(said > 0);
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="min-w-0 border-t border-line pt-3"
    >
      <summary className="cursor-pointer text-sm font-semibold">
        {section.title}
        {said > 0 ? <span className="ml-2 font-normal text-muted">{said} set</span> : null}
      </summary>
      <fieldset className="mt-3 min-w-0">
        <legend className="sr-only">{section.title}</legend>
        <Fields {...props} />
      </fieldset>
    </details>
  );
}

function Fields({ section, document, write, problems, isNameFixed }: FieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      {section.settings.map((setting) => {
        const { label, hint, field } = setting;
        const key = `${field} ${label}`;
        if (setting.kind === 'check') {
          return (
            <CheckField
              {...{ key, label }}
              {...(hint ? { hint } : {})}
              isSelected={setting.read(document)}
              onChange={(isOn) => write((target) => setting.write(target, isOn))}
            />
          );
        }
        if (setting.kind === 'choice') {
          return (
            <Choice
              {...{ key, label, options: setting.options, value: setting.read(document) }}
              onChange={(value) => write((target) => setting.write(target, value))}
            />
          );
        }
        const problem = problems.find((each) => each.severity === 'error' && each.field === field);
        return (
          <TextSettingField
            key={key}
            {...{
              setting,
              document,
              write,
              error: problem && [problem.reason, problem.remedy].filter(Boolean).join('. '),
            }}
            isDisabled={isNameFixed && field === 'metadata.name'}
          />
        );
      })}
    </div>
  );
}

interface TextSettingFieldProps {
  readonly setting: TextSetting;
  readonly document: ManifestDocument;
  readonly write: Write;
  readonly error: string | undefined;
  readonly isDisabled: boolean;
}

/** Shows what was typed as long as the manifest holds what came of it: a line that was only begun must not vanish. */
function TextSettingField({ setting, document, write, error, isDisabled }: TextSettingFieldProps) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly became: string }>();
  const current = setting.read(document);
  const { label, hint, placeholder, kind } = setting;
  return (
    <TextInput
      {...{ label, error, isDisabled }}
      {...(hint ? { hint } : {})}
      {...(placeholder ? { placeholder } : {})}
      {...(kind === 'lines' ? { rows: 4, isMono: true, className: 'sm:col-span-2' } : {})}
      {...(setting.field.endsWith('.repoURL') ? { className: 'sm:col-span-2' } : {})}
      value={typed && typed.became === current ? typed.text : current}
      onChange={(value) => {
        const next = write((target) => setting.write(target, value));
        setTyped(next ? { text: value, became: setting.read(next) } : undefined);
      }}
    />
  );
}
