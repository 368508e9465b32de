import type { AccessPreview } from '@fairlead/contracts';
import { counted } from '../../words/index.ts';
import { entityNouns } from './access-form.ts';

type Item = AccessPreview['items'][number];
type Touched = Item['gains'];

/** Who would gain and lose what. */
export function AccessPreviewTable({ preview }: { readonly preview: AccessPreview }) {
  if (preview.items.length === 0) return <p className="text-sm text-muted">Nobody gains or loses anything by this.</p>;
  return (
    <ul aria-label="Who gains and loses" className="flex max-h-60 flex-col gap-2 overflow-y-auto text-sm">
      {preview.items.map(({ teams, users, entity, action, gains, loses }) => (
        <li key={`${teams.join(',')} ${entity} ${action}`} className="rounded-md border border-line px-3 py-2">
          <p>
            <b className="font-semibold">{users.samples.join(', ')}</b>
            {users.count > users.samples.length ? ` and ${users.count - users.samples.length} more` : ''}
            <span className="text-muted"> ({teams.join(', ') || 'in no team'})</span>
          </p>
          <Change sign="+" color="text-healthy" verb="gains" entity={entity} action={action} touched={gains} />
          <Change sign="−" color="text-degraded" verb="loses" entity={entity} action={action} touched={loses} />
        </li>
      ))}
      {preview.more ? <li className="text-muted">There are more groups of people than are shown.</li> : null}
    </ul>
  );
}

interface ChangeProps {
  readonly sign: string;
  readonly color: string;
  readonly verb: string;
  readonly entity: Item['entity'];
  readonly action: string;
  readonly touched: Touched;
}

function Change({ sign, color, verb, entity, action, touched }: ChangeProps) {
  if (touched.count === 0) return null;
  return (
    <p className={color}>
      {sign} {verb} {action} on {counted(touched.count, entityNouns[entity][0])}
      <span className="text-muted">
        : {touched.samples.map(({ name }) => name).join(', ')}
        {touched.count > touched.samples.length ? '…' : ''}
      </span>
    </p>
  );
}
