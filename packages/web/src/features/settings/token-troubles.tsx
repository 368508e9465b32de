import type { GitTokenRow } from '@fairlead/contracts';
import { Button, Notice } from '../../ui/index.ts';
import type { NewToken } from './add-git-token.tsx';

const troubles: Partial<Record<GitTokenRow['status'], string>> = {
  'expires-soon': 'ends soon',
  expired: 'has ended',
  weak: 'lacks rights',
};

interface TokenTroublesProps {
  readonly tokens: readonly GitTokenRow[];
  readonly onReplace: (token: NewToken) => void;
}

/** A card for each token that needs its owner: what is wrong, and the way to mend it. */
export function TokenTroubles({ tokens, onReplace }: TokenTroublesProps) {
  const troubled = tokens.filter(({ status }) => troubles[status] !== undefined);
  if (troubled.length === 0) return null;
  return (
    <div className="mb-3 flex flex-col gap-2">
      {troubled.map(({ host, provider, url, status, problem = '' }) => (
        <Notice
          key={host}
          kind={status === 'expires-soon' ? 'warning' : 'error'}
          title={`Your token for ${host} ${troubles[status]}.`}
          actions={<Button onPress={() => onReplace({ provider, host: url })}>Replace it…</Button>}
        >
          {problem === '' ? null : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`}
        </Notice>
      ))}
    </div>
  );
}
