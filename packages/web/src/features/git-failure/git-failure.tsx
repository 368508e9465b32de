import { ApiError } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { Failure, Notice } from '../../ui/index.ts';

interface GitFailureProps {
  readonly what: string;
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Of an act, what did not come about, as a sentence: "Nothing was committed." */
  readonly undone?: string;
}

/** Why nothing can be committed, and the way out: a token of one's own, or a Git Source. */
export function GitFailure({ what, error, onRetry, undone }: GitFailureProps) {
  if (error instanceof ApiError && (error.code === 'git_token_missing' || error.code === 'git_token_refused')) {
    return (
      <Notice
        kind="warning"
        title="Your Git token is missing or not taken."
        actions={
          <Link to="/settings/$section" params={{ section: 'git-tokens' }} className="text-accent underline">
            To your Git tokens
          </Link>
        }
      >
        {error.message}
      </Notice>
    );
  }
  if (error instanceof ApiError && error.code === 'git_source_missing') {
    return (
      <Notice kind="warning" title="Nothing in Git defines this application, so it cannot be changed here.">
        {error.message}
      </Notice>
    );
  }
  if (undone !== undefined && error instanceof ApiError) {
    return (
      <Notice kind="error" title={undone}>
        {error.message}
      </Notice>
    );
  }
  return <Failure {...{ what, error }} {...(onRetry ? { onRetry } : {})} />;
}
