import { toKubeTime } from '@fairlead/base';
import { listAt, numberAt } from '@fairlead/kube/object';
import { issuer, type Tokens } from '../../access/index.ts';
import { StatusError } from '../../objects/index.ts';
import { readValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';

const usualSeconds = 3600;
const leastSeconds = 600;

/** TokenRequest: a token for the service account that the path names. */
export async function requestToken(call: Call, { objects }: ServerDeps, tokens: Tokens): Promise<Answer> {
  const body = await readValue(call.request);
  const { metadata } = objects.get(targetOf(call)).object;
  const given = listAt(body, 'spec', 'audiences').map(String);
  const audiences = given.length > 0 ? given : [issuer];
  const expirationSeconds = numberAt(body, 'spec', 'expirationSeconds') ?? usualSeconds;
  if (expirationSeconds < leastSeconds) throw tooShort(expirationSeconds);
  const { namespace = '', name, uid = '' } = metadata;
  const { token, expiresMs } = tokens.issue({ namespace, name, uid, audiences, expirationSeconds });
  return {
    status: 201,
    body: {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace, creationTimestamp: null },
      spec: { audiences, expirationSeconds, boundObjectRef: null },
      status: { token, expirationTimestamp: toKubeTime(expiresMs) },
    },
  };
}

function tooShort(seconds: number): StatusError {
  const text = `Invalid value: ${seconds}: may not specify a duration less than 10 minutes`;
  const field = 'spec.expirationSeconds';
  const message = `TokenRequest.authentication.k8s.io "" is invalid: ${field}: ${text}`;
  const details = {
    group: 'authentication.k8s.io',
    kind: 'TokenRequest',
    causes: [{ reason: 'FieldValueInvalid', message: text, field }],
  };
  return new StatusError({ status: 422, reason: 'Invalid', message, details });
}
