import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { meQuery, type SectionId, sections } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Empty, PageHead, useSelectedInView } from '../../ui/index.ts';
import { AccessSection } from './access-section.tsx';
import { AccountSection } from './account-section.tsx';
import { ApiKeysSection } from './api-keys-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { GitTokensSection } from './git-tokens-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TeamsSection } from './teams-section.tsx';
import { UsersSection } from './users-section.tsx';

export interface SectionProps {
  /** Administrators change what belongs to everybody; others see it. */
  readonly isAdmin: boolean;
}

const contents: Record<SectionId, ComponentType<SectionProps>> = {
  account: AccountSection,
  appearance: AppearanceSection,
  'git-tokens': GitTokensSection,
  'api-keys': ApiKeysSection,
  sessions: SessionsSection,
  users: UsersSection,
  teams: TeamsSection,
  access: AccessSection,
};

export function SettingsPage() {
  const { section } = useParams({ from: '/frame/settings/$section' });
  const { data: me } = useQuery(meQuery(useApi()));
  const isAdmin = me?.user.role === 'admin';
  const tabs = useSelectedInView<HTMLElement>(`${section} ${isAdmin}`);
  const shown = sections.find(({ id }) => id === section);
  const Content = shown && contents[shown.id];
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>{`${shown?.title ?? 'Settings'} · Fairlead`}</title>
      <PageHead
        title="Settings"
        answer={
          me ? `You are ${me.user.name}, ${isAdmin ? 'an administrator' : 'a member'} of ${me.account.name}.` : ''
        }
      />
      <div className="flex gap-6 max-md:flex-col">
        <nav
          ref={tabs}
          aria-label="Settings"
          className="flex shrink-0 gap-0.5 max-md:overflow-x-auto md:w-44 md:flex-col"
        >
          {sections
            .filter(({ needs }) => needs === 'user' || isAdmin)
            .map(({ id, title }) => (
              <Link
                key={id}
                to="/settings/$section"
                params={{ section: id }}
                className="flex h-8 shrink-0 items-center rounded-md px-2.5 text-sm whitespace-nowrap text-muted hover:bg-surface-2 hover:text-text"
                activeProps={{ className: 'bg-surface-2 text-text! font-semibold' }}
              >
                {title}
              </Link>
            ))}
        </nav>
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          {Content ? <Content isAdmin={isAdmin} /> : <Empty title="There is no such page of the settings" />}
        </div>
      </div>
    </div>
  );
}
