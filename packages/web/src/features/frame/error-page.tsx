import { ApiError } from '@fairlead/contracts';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Button, Empty } from '../../ui/index.ts';

export function NotFoundPage() {
  return (
    <>
      <title>Not found · Fairlead</title>
      <Empty isPage title="There is no such page">
        <p>The address may be mistyped, or what it named is gone.</p>
        <Link to="/applications" className="text-accent underline">
          To the applications
        </Link>
      </Empty>
    </>
  );
}

/** What is left when a page breaks: the words of the error, and two ways on. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <title>Something broke · Fairlead</title>
      <Empty isPage title="This page broke">
        <p>
          It is our fault, not yours. What was going on in your clusters is not affected. Try again; if it stays, report
          the words below.
        </p>
        <pre className="max-w-full overflow-x-auto rounded-md border border-line bg-bg px-3 py-2 text-left font-mono text-xs">
          {error instanceof ApiError ? `${error.message} (${error.code}, ${error.body.requestId})` : String(error)}
        </pre>
        <div className="flex gap-2">
          <Button kind="primary" onPress={again}>
            Try again
          </Button>
          <Button onPress={() => location.assign('/applications')}>To the applications</Button>
        </div>
      </Empty>
    </>
  );
}
