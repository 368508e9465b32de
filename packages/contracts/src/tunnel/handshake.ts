// What both ends say before HTTP/2 starts on the WebSocket: JSON text messages, server first.
// After `welcome` only binary messages follow: the bytes of one HTTP/2 connection on which the platform is the client.
import { type Static, Type } from 'typebox';

export const tunnelProtocolVersion = 1;

export const TunnelChallenge = Type.Object({
  type: Type.Literal('challenge'),
  protocol: Type.Integer(),
  nonce: Type.String({ maxLength: 256 }),
});
export type TunnelChallenge = Static<typeof TunnelChallenge>;

/** `proof` is a runtime token (see runtime/identity) with one more claim, `nonce`, equal to the challenge's. */
export const TunnelHello = Type.Object({
  type: Type.Literal('hello'),
  protocol: Type.Integer(),
  runtimeVersion: Type.String(),
  proof: Type.String({ maxLength: 4096 }),
});
export type TunnelHello = Static<typeof TunnelHello>;

export const TunnelWelcome = Type.Object({ type: Type.Literal('welcome'), sessionId: Type.String() });
export type TunnelWelcome = Static<typeof TunnelWelcome>;

/** `retry` tells the client what to do: come back later, or stop until a person acts. */
export const TunnelRefusal = Type.Object({
  type: Type.Literal('refused'),
  code: Type.String(),
  message: Type.String(),
  retry: Type.Union([Type.Literal('later'), Type.Literal('never')]),
});
export type TunnelRefusal = Static<typeof TunnelRefusal>;

/** Code of a refusal: the platform reaches this runtime in another way, and wants no tunnel for now. */
export const accessModeRefusal = 'access_mode';

/** WebSocket close codes after the handshake. */
export const tunnelCloseCodes = { fenced: 4001, revoked: 4003, draining: 4004 } as const;
