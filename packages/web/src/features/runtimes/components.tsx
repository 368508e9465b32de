import { type RuntimeComponent, type RuntimeRow, runtimeComponents } from '@fairlead/contracts';
import { lazy, Suspense, useState } from 'react';
import { Button, classNames, healthColor, ModalDialog, Panel, Skeleton, StatusGlyph, Table } from '../../ui/index.ts';

const ComponentLog = lazy(async () => ({ default: (await import('../logs/index.ts')).ComponentLog }));

interface ComponentsProps {
  readonly runtime: RuntimeRow;
  /** Logs name applications that access rules may hide from others. */
  readonly isAdmin: boolean;
}

const isKnown = (name: string): name is RuntimeComponent => runtimeComponents.some((known) => known === name);

export function Components({ runtime, isAdmin }: ComponentsProps) {
  const [shown, setShown] = useState<RuntimeComponent>();
  const columns = ['Name', 'Health', 'Version', 'What it says', ...(isAdmin ? ['(Actions)'] : [])];
  return (
    <Panel title="Components" hint="What runs in the runtime's cluster.">
      <Table label="Components" columns={columns}>
        {(runtime.report?.components ?? []).map(({ name, health, version, message }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <span className={classNames('inline-flex items-center gap-1.5', healthColor[health])}>
                <StatusGlyph health={health} size={14} silent /> {health}
              </span>
            </td>
            <td className="font-mono text-xs text-muted">{version}</td>
            <td className="text-muted">{message}</td>
            {isAdmin ? (
              <td className="text-right">
                {isKnown(name) ? (
                  <Button aria-label={`Logs of ${name}`} onPress={() => setShown(name)}>
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
