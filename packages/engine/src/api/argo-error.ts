// Errors as Argo CD's REST API (grpc-gateway) tells them: `{error, code, message}` with gRPC codes.
import { errorMessage } from '@fairlead/base';
import { KubeApiError } from '@fairlead/kube';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

const codes = {
  InvalidArgument: [3, 400],
  NotFound: [5, 404],
  AlreadyExists: [6, 409],
  PermissionDenied: [7, 403],
  FailedPrecondition: [9, 400],
  Unimplemented: [12, 501],
  Internal: [13, 500],
  Unavailable: [14, 503],
  Unauthenticated: [16, 401],
} as const;
export type ArgoCode = keyof typeof codes;

export class ArgoError extends Error {
  readonly code: ArgoCode;

  constructor(code: ArgoCode, message: string) {
    super(message);
    this.name = 'ArgoError';
    this.code = code;
  }
}

export function answerError(error: unknown, context: Context): Response {
  const { code, message } = toArgo(error);
  const [number, status] = codes[code];
  return context.json({ error: message, code: number, message }, status);
}

function toArgo(error: unknown): { code: ArgoCode; message: string } {
  if (error instanceof ArgoError) return error;
  if (error instanceof HTTPException) {
    return { code: error.status === 413 ? 'InvalidArgument' : 'Internal', message: error.message };
  }
  const message = errorMessage(error);
  if (!(error instanceof KubeApiError)) return { code: 'Internal', message };
  const byStatus: Readonly<Record<number, ArgoCode>> = {
    400: 'InvalidArgument',
    403: 'PermissionDenied',
    404: 'NotFound',
    409: 'FailedPrecondition',
    422: 'InvalidArgument',
  };
  return { code: byStatus[error.status] ?? 'Internal', message };
}
