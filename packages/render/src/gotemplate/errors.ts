/** A template that cannot be parsed or executed; the message is Go's, with template name, line and column. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** What a template function refuses; the executor adds where it was called. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

/** A bound (steps, output, time, depth) was met: no template can catch this. */
export class TemplateLimitError extends TemplateError {}
