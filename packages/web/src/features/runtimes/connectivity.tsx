import type { RuntimeRow } from '@fairlead/contracts';
import { useFeedState } from '../../services/index.ts';
import { Panel, Table } from '../../ui/index.ts';
import { ageOf, longAgo } from '../../words/index.ts';

interface ConnectivityProps {
  readonly runtime: RuntimeRow;
  readonly nowMs: number;
}

/** Each line between browser, platform and runtime, and when it was last heard. */
export function Connectivity({ runtime, nowMs }: ConnectivityProps) {
  const feed = useFeedState();
  const heard = ageOf(runtime.lastHeardAt, nowMs);
  const lines = [
    {
      path: 'Browser to platform',
      status: feed.phase === 'live' ? 'live' : feed.phase,
      ageMs: feed.lastHeardMs === undefined ? undefined : nowMs - feed.lastHeardMs,
    },
    {
      path: 'Platform to runtime (tunnel, acts and logs)',
      status: runtime.status === 'connected' ? 'connected' : 'down',
      ageMs: undefined,
    },
    {
      path: 'Runtime to platform (reports)',
      status: heard === undefined ? 'nothing yet' : heard > silentMs ? 'silent' : 'reporting',
      ageMs: heard,
    },
  ];
  return (
    <Panel title="Connectivity" hint="A reporter that says nothing for 20 minutes counts as silent.">
      <Table label="Connectivity" columns={['Path', 'Status', 'Last activity']}>
        {lines.map(({ path, status, ageMs }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{status}</td>
            <td className="text-muted">{ageMs === undefined ? '' : longAgo(Math.max(0, ageMs))}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

const silentMs = 20 * 60_000;
