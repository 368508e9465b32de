import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gitRightsQuery, gitTokensQuery, meQuery, runtimesQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Empty } from '../../ui/index.ts';
import { type UnseenFacts, unseenWords } from './unseen-words.ts';

/** Runtimes that are asked whether they hold a token of who looks. */
const maxAsked = 20;

/** In the place of what somebody does not see: why, and what to do. */
export function Unseen({ by }: Pick<UnseenFacts, 'by'>) {
  const api = useApi();
  const followsGit = by === 'git';
  const teams = useQuery(meQuery(api)).data?.user.teams ?? [];
  const checking = useQuery({ ...gitRightsQuery(api), enabled: followsGit }).data?.checking ?? 0;
  const connected = (useQuery(runtimesQuery(api)).data ?? []).filter(({ status }) => status === 'connected');
  const asked = followsGit ? connected.slice(0, maxAsked).map(({ name }) => name) : [];
  const tokens = useQueries({ queries: asked.map((name) => gitTokensQuery(api, name)) });
  const withoutToken = asked.filter((_, index) => tokens[index]?.data?.length === 0);
  const { title, text, link } = unseenWords({ by, teams, checking, withoutToken });
  return (
    <div className="rounded-lg border border-line bg-surface" role="status">
      <Empty title={title}>
        <p>{text}</p>
        {link ? (
          <Link
            to="/settings/$section"
            params={{ section: 'git-tokens' }}
            className="font-medium text-accent hover:underline"
          >
            {link}
          </Link>
        ) : null}
      </Empty>
    </div>
  );
}
