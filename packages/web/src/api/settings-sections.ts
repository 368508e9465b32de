export const sections = [
  { id: 'account', title: 'Your account', needs: 'user' },
  { id: 'appearance', title: 'Appearance', needs: 'user' },
  { id: 'git-tokens', title: 'Git tokens', needs: 'user' },
  { id: 'api-keys', title: 'API keys', needs: 'user' },
  { id: 'sessions', title: 'Sessions', needs: 'user' },
  { id: 'users', title: 'Users', needs: 'user' },
  { id: 'teams', title: 'Teams', needs: 'user' },
  { id: 'access', title: 'Access rules', needs: 'admin' },
] as const;

export type SectionId = (typeof sections)[number]['id'];
