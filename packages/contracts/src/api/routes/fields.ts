// Pieces that routes of several nouns share.
import { Type } from 'typebox';

export const text = Type.String();
export const optionalText = Type.Optional(Type.String());
export const runtimeName = Type.Object({ runtime: text });
/** RFC 3339, e.g. `2026-11-15T10:00:00Z`. */
export const moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
});
export const optionalMoment = Type.Optional(moment);
export const page = { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })), after: optionalText };
/** The path of one application. */
export const application = '/api/v1/applications/{runtime}/{namespace}/{name}';
