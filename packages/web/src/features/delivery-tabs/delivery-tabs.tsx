import { Link, useLocation } from '@tanstack/react-router';
import { tabClass, tabListClass, useSelectedInView } from '../../ui/index.ts';

const pages = [
  { to: '/runtimes', title: 'Runtimes' },
  { to: '/git-sources', title: 'Git Sources' },
  { to: '/clusters', title: 'Clusters' },
  { to: '/topology', title: 'Topology' },
] as const;

/** The pages about what deploys, from where, and to where. */
export function DeliveryTabs() {
  const { pathname } = useLocation();
  const tabs = useSelectedInView<HTMLElement>(pathname);
  return (
    <nav ref={tabs} aria-label="Delivery" className={tabListClass}>
      {pages.map(({ to, title }) => (
        <Link
          key={to}
          to={to}
          className={tabClass}
          activeProps={{ 'data-selected': true }}
          activeOptions={{ exact: true }}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
