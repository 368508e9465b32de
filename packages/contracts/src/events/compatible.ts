// The event that reporters of other systems built on Argo CD send: one object per request, `POST /2.0/api/events`.
import { type Static, Type } from 'typebox';

const anything = Type.Record(Type.String(), Type.Unknown());
const optionalText = Type.Optional(Type.String());

export const CompatibleEvent = Type.Object({
  data: Type.Object({
    /** JSON as base64, the object itself, or an Argo Events body `{type, body, …}`. */
    object: Type.Union([Type.String(), anything]),
    timestamp: optionalText,
    source: Type.Optional(anything),
    errors: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Array(
          Type.Object({ type: Type.String(), level: optionalText, message: Type.String(), lastSeen: optionalText }),
        ),
      ]),
    ),
  }),
});
export type CompatibleEvent = Static<typeof CompatibleEvent>;
