// What the command line tells scripts by its exit code; docs/components/command-line.md has the same table.
import { FairleadError } from '@fairlead/base';
import { ApiError } from '@fairlead/contracts';
import { CommanderError } from 'commander';

export const exitCodes = {
  failed: 1,
  badInput: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  timeout: 6,
  unreachable: 7,
} as const;

const byCode: Readonly<Record<string, number>> = {
  bad_usage: exitCodes.badInput,
  bad_request: exitCodes.badInput,
  invalid: exitCodes.badInput,
  not_confirmed: exitCodes.badInput,
  unknown_context: exitCodes.badInput,
  context_missing: exitCodes.badInput,
  no_kubeconfig: exitCodes.badInput,
  not_private: exitCodes.badInput,
  bad_input: exitCodes.badInput,
  too_large: exitCodes.badInput,
  git_source_missing: exitCodes.badInput,
  not_found: exitCodes.notFound,
  gone: exitCodes.notFound,
  not_signed_in: exitCodes.notAllowed,
  forbidden: exitCodes.notAllowed,
  credentials_refused: exitCodes.notAllowed,
  rights_missing: exitCodes.notAllowed,
  git_token_missing: exitCodes.notAllowed,
  git_token_refused: exitCodes.notAllowed,
  conflict: exitCodes.conflict,
  operation_in_progress: exitCodes.conflict,
  timeout: exitCodes.timeout,
  outcome_unknown: exitCodes.timeout,
  no_home: exitCodes.unreachable,
  not_running: exitCodes.unreachable,
  platform_unreachable: exitCodes.unreachable,
  cluster_unreachable: exitCodes.unreachable,
  runtime_unreachable: exitCodes.unreachable,
  unavailable: exitCodes.unreachable,
};

export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exitCodes.badInput;
  if (thrown instanceof ApiError || thrown instanceof FairleadError) return byCode[thrown.code] ?? exitCodes.failed;
  return exitCodes.failed;
}
