// Why somebody sees no application, and what to do: rules that give them nothing, Git rights that are being looked up, a Git token
// that is missing, or one that reads none of the repositories. Whether there are applications at all is not told.
import type { ApplicationSummary } from '@fairlead/contracts';
import { counted } from '../../words/index.ts';

export interface UnseenFacts {
  readonly by: NonNullable<ApplicationSummary['unseen']>;
  /** Of who looks. */
  readonly teams: readonly string[];
  /** Repositories whose rights are being looked up. */
  readonly checking: number;
  /** Runtimes in which who looks has no Git token. */
  readonly withoutToken: readonly string[];
}

interface UnseenWords {
  readonly title: string;
  readonly text: string;
  /** To the page of one's Git tokens. */
  readonly link?: string;
}

export function unseenWords({ by, teams, checking, withoutToken }: UnseenFacts): UnseenWords {
  if (by === 'rules') {
    const whose = teams.length === 0 ? 'You are in no team' : `You are in ${namesOf(teams)}`;
    return {
      title: 'No access rule lets you see applications',
      text: `Rules give teams what they may see. ${whose}. Ask an administrator of the account to take you into a team that has a rule, or for a rule for yours.`,
    };
  }
  if (checking > 0) {
    return {
      title: 'Your Git rights are being looked up',
      text: `${counted(checking, 'repository', 'repositories')} ${checking === 1 ? 'is' : 'are'} being asked about. What your token can read appears here by itself.`,
    };
  }
  const follows = 'You see an application if your own Git token can read the repository that holds its manifest';
  if (withoutToken.length > 0) {
    return {
      title: 'Your Git token is missing',
      text: `${follows}, and you have given none to ${namesOf(withoutToken)}. Add it, and what it can read appears here.`,
      link: 'Add your Git token',
    };
  }
  return {
    title: 'No applications that your Git token can read',
    text: `${follows}. Ask who owns the repository for the right to read it, or give a token with more rights.`,
    link: 'Your Git tokens',
  };
}

const namesOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
