// Bodies recorded from kubectl 1.35.2.
import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './decode.ts';
import { ProtobufError } from './wire.ts';

const decode = (base64: string) => decodeProtobuf(Buffer.from(base64, 'base64'));
const deployment =
  'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErIBChsKAXgSABoAIgAqADIAOABCAFoICgNhcHASAXgShAEIABIKCggKA2FwcBIBeBpsChoKABIAGgAiACoAMgA4AEIAWggKA2FwcBIBeBJOEjAKBW5naW54EgduZ2lueDoxKgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=';

describe('protobuf bodies', () => {
  it('keep a zero that was set and drop the zeros that Go always writes', () => {
    // kubectl create deploy x --image=nginx:1 --replicas=0 --port=80
    expect(decode(deployment)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', labels: { app: 'x' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx:1', ports: [{ containerPort: 80 }] }] },
        },
      },
    });
  });

  it('read quantities, bytes and numbers that may be strings', () => {
    expect(
      decode(
        'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRI0ChEKAXESABoAIgAqADIAOABCABIdCg0KA2NwdRIGCgQ1MDBtCgwKBHBvZHMSBAoCMTAaABoAIgA=',
      ),
    ).toMatchObject({ spec: { hard: { cpu: '500m', pods: '10' } } });
    expect(decode('azhzAAoMCgJ2MRIGU2VjcmV0Eh0KEQoBcxIAGgAiACoAMgA4AEIAEgYKAWESAWIaABoAIgA=')).toMatchObject({
      data: { a: 'Yg==' },
    });
    expect(
      decode(
        'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSNgoRCgFwEgAaACIAKgAyADgAQgASFQoJCAEQABoDNTAlEggKBgoBYRIBYhoKCAAYACAAKAAwABoAIgA=',
      ),
    ).toMatchObject({ spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } } });
  });

  it('say so when they are cut short, wherever', () => {
    const whole = Buffer.from(deployment, 'base64');
    let refused = 0;
    for (let bytes = 0; bytes < whole.length; bytes++) {
      try {
        decodeProtobuf(whole.subarray(0, bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(whole.length / 2);
  });
});
