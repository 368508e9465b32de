import { type RuntimeComponent, type RuntimeRow, runtimeComponents } from '@fairlead/contracts';
import { lazy, Suspense, useState } from 'react';
import { Button, classNames, healthColor, ModalDialog, Panel, Skeleton, StatusGlyph, Table } from '../../ui/index.ts';
import { healthWord } from '../../words/index.ts';

const ComponentLog = lazy(async () => ({ default: (await import('../logs/index.ts')).ComponentLog }));

interface ComponentsProps {
  readonly runtime: RuntimeRow;
  /** Logs name applications that access rules may hide from others. */
  readonly isAdmin: boolean;
}

const isKnown = (name: string): name is RuntimeComponent => runtimeComponents.some((known) => known === name);

export function Components({ runtime, isAdmin }: ComponentsProps) {
  const [shown, setShown] = useState<RuntimeComponent>();
  const components = runtime.report?.components ?? [];
  const hasWords = components.some(({ message }) => message);
  const columns = [
    'Name',
    'Health',
    'Version',
    ...(hasWords ? ['What it says'] : []),
    ...(isAdmin ? ['(Actions)'] : []),
  ];
  return (
    <Panel title="Components" hint="What runs in the runtime's cluster.">
      <Table label="Components" columns={columns}>
        {components.map(({ name, health, version, message }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <span className={classNames('glyph-line', healthColor[health])}>
                <StatusGlyph health={health} size={14} silent /> {healthWord(health)}
              </span>
            </td>
            <td className="font-mono text-xs text-muted">{version}</td>
            {hasWords ? <td className="text-muted">{message}</td> : null}
            {isAdmin ? (
              <td className="py-1! text-right">
                {isKnown(name) ? (
                  <Button
                    kind="quiet"
                    className="h-6! px-2! text-accent!"
                    aria-label={`Logs of ${name}`}
                    onPress={() => setShown(name)}
                  >
                    Logs
                  </Button>
                ) : null}
              </td>
            ) : null}
          </tr>
        ))}
      </Table>
      {shown ? (
        <ModalDialog
          title={`${shown} of ${runtime.name}`}
          isOpen
          onClose={() => setShown(undefined)}
          width="max-w-[1100px]"
        >
          <div className="h-[60vh]">
            <Suspense fallback={<Skeleton className="h-40" />}>
              <ComponentLog runtime={runtime.name} component={shown} />
            </Suspense>
          </div>
        </ModalDialog>
      ) : null}
    </Panel>
  );
}
