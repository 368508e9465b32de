import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  GitCompareArrows,
  House,
  Layers,
  type LucideIcon,
  PanelLeftClose,
  PanelLeftOpen,
  ScrollText,
  Server,
  Settings,
} from 'lucide-react';
import { meQuery, runtimesQuery, summaryQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { BrandMark, Button, classNames } from '../../ui/index.ts';
import { briefCount } from '../../words/index.ts';

interface RailProps {
  readonly isNarrow: boolean;
  readonly onToggle: () => void;
}

/** On a small screen the rail is a bar at the bottom. */
export function Rail({ isNarrow, onToggle }: RailProps) {
  const api = useApi();
  const { data: summary } = useQuery(summaryQuery(api));
  const { data: runtimes } = useQuery(runtimesQuery(api));
  const { data: me } = useQuery(meQuery(api));
  const Toggle = isNarrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Main"
      className={classNames(
        'flex shrink-0 border-line bg-surface max-md:order-last max-md:h-14 max-md:items-center max-md:justify-around max-md:border-t',
        'md:flex-col md:gap-0.5 md:border-r md:px-2 md:py-3',
        isNarrow ? 'md:w-14' : 'md:w-52',
      )}
    >
      <Link
        to="/"
        aria-label="Fairlead, to the start page"
        className="flex items-center gap-2 px-2 pb-3.5 font-semibold tracking-tight max-md:hidden"
      >
        <BrandMark />
        {isNarrow ? null : <span aria-hidden>Fairlead</span>}
      </Link>
      <RailLink to="/" label="Home" icon={House} isNarrow={isNarrow} />
      <RailLink to="/applications" label="Applications" icon={Layers} count={summary?.total} isNarrow={isNarrow} />
      <RailLink to="/runtimes" label="Runtimes" icon={Server} count={runtimes?.length} isNarrow={isNarrow} />
      {me?.user.role === 'admin' ? (
        <>
          <RailLink to="/plan" label="Plan" icon={GitCompareArrows} isNarrow={isNarrow} />
          <RailLink to="/audit" label="Audit" icon={ScrollText} isNarrow={isNarrow} />
        </>
      ) : null}
      <RailLink to="/settings" label="Settings" icon={Settings} isNarrow={isNarrow} />
      <Button
        kind="quiet"
        square
        className="mt-auto max-md:hidden"
        aria-label={isNarrow ? 'Widen the menu' : 'Narrow the menu'}
        aria-expanded={!isNarrow}
        onPress={onToggle}
      >
        <Toggle size={16} aria-hidden />
      </Button>
    </nav>
  );
}

interface RailLinkProps {
  readonly to: '/' | '/applications' | '/runtimes' | '/plan' | '/audit' | '/settings';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly count?: number | undefined;
  readonly isNarrow: boolean;
}

function RailLink({ to, label, icon: Icon, count, isNarrow }: RailLinkProps) {
  return (
    <Link
      to={to}
      {...(isNarrow ? { 'aria-label': label, title: label } : {})}
      className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-surface-2 hover:text-text max-md:h-12 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:px-1 max-md:text-xs"
      activeProps={{ className: 'bg-accent-weak text-accent! font-semibold' }}
      activeOptions={{ includeSearch: false, exact: to === '/' }}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className={classNames(isNarrow && 'md:hidden')}>{label}</span>
      {count === undefined || isNarrow ? null : (
        <span className="ml-auto text-xs max-md:hidden">{briefCount(count)}</span>
      )}
    </Link>
  );
}
