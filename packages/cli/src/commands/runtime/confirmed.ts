import { FairleadError } from '@fairlead/base';

/** Asks on a terminal; elsewhere only `--yes` counts. */
export async function confirmed(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new FairleadError('not_confirmed', `${question} Say --yes to confirm.`);
  const { confirm } = await import('../../prompt.ts');
  if (!(await confirm(question))) throw new FairleadError('not_confirmed', 'nothing was removed');
}
