import { ApiError } from '@fairlead/contracts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FailureProps {
  /** What was wanted, as the object of a sentence: "the audit log". */
  readonly what: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Why something is not on the screen, and what to do: each kind of refusal in words of its own. */
export function Failure({ what, error, onRetry }: FailureProps) {
  const { title, advice, canRetry } = failureWords(what, error);
  return (
    <Notice
      kind={canRetry ? 'error' : 'warning'}
      title={title}
      actions={canRetry && onRetry ? <Button onPress={onRetry}>Try again</Button> : undefined}
    >
      {advice}
      {error instanceof ApiError && error.body.requestId ? (
        <span className="block font-mono text-xs">
          {error.code}, request {error.body.requestId}
        </span>
      ) : null}
    </Notice>
  );
}

export function failureWords(what: string, error: Error) {
  if (!(error instanceof ApiError)) {
    return {
      title: `The server did not answer, so ${what} could not be loaded.`,
      advice: 'Check the network or whether Fairlead still runs. This page tries again by itself.',
      canRetry: true,
    };
  }
  if (error.status === 403) {
    const advice = `${error.message} An administrator can change that.`;
    return { title: `You may not see ${what}.`, advice, canRetry: false };
  }
  if (error.status === 404)
    return { title: `There is no such thing as ${what} here.`, advice: error.message, canRetry: false };
  return { title: `${capital(what)} could not be loaded.`, advice: error.message, canRetry: true };
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
