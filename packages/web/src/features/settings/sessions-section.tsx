import type { SessionRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessionsQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Failure, Notice, Panel, Skeleton, Table } from '../../ui/index.ts';
import { momentWords } from '../../words/index.ts';
import type { SectionProps } from './settings-page.tsx';

const columns = ['User', 'Browser', 'Since', 'Until', '(Actions)'];

export function SessionsSection({ isAdmin }: SectionProps) {
  const api = useApi();
  const { data, error, refetch } = useQuery(sessionsQuery(api, isAdmin));
  const end = useChange((session: string) => api.call('revokeSession', { params: { session } }), [['sessions']]);
  return (
    <Panel title="Sessions" hint={isAdmin ? 'Everybody who is signed in by a browser.' : 'Where you are signed in.'}>
      {end.error ? (
        <Notice kind="error" title="The session was not ended.">
          {end.error.message}
        </Notice>
      ) : null}
      {data ? (
        <Table label="Sessions" columns={columns}>
          {data.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              onEnd={() => end.mutate(session.id)}
              isEnding={end.isPending}
            />
          ))}
        </Table>
      ) : error ? (
        <Failure what="the sessions" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </Panel>
  );
}

interface SessionLineProps {
  readonly session: SessionRow;
  readonly onEnd: () => void;
  readonly isEnding: boolean;
}

function SessionLine({ session, onEnd, isEnding }: SessionLineProps) {
  return (
    <tr>
      <th scope="row">{session.user}</th>
      <td className="max-w-96 truncate text-muted" title={session.client}>
        {browserName(session.client)}
      </td>
      <td className="whitespace-nowrap text-muted">{momentWords(session.createdAt)}</td>
      <td className="whitespace-nowrap text-muted">{momentWords(session.expiresAt)}</td>
      <td className="text-right">
        {session.current ? (
          <span className="text-xs text-muted">this one</span>
        ) : (
          <Button className="h-7!" kind="danger" isDisabled={isEnding} onPress={onEnd}>
            End
          </Button>
        )}
      </td>
    </tr>
  );
}

/** "Chrome on Linux" of a long line; the line itself when it names nothing known. */
export function browserName(client: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(client)?.[1];
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(client)?.[1];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  return browser ? `${names[browser] ?? browser}${system ? ` on ${system.replace('Mac OS X', 'macOS')}` : ''}` : client;
}
