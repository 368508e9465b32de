// What runtimes report.
import { CompatibleEvent } from '../../events/compatible.ts';
import { DigestAnswer, ReportBatch, ReportDigest, ReportReceipt } from '../../events/report.ts';
import { route } from '../route.ts';

export const eventRoutes = {
  reportEvents: route({
    method: 'POST',
    path: '/api/v1/events',
    summary: 'A runtime reports the state of objects. Idempotent; gzip bodies welcome.',
    auth: 'runtime',
    body: ReportBatch,
    response: ReportReceipt,
  }),
  exchangeDigest: route({
    method: 'POST',
    path: '/api/v1/events/digest',
    summary: 'After a gap: which objects the runtime should report again.',
    auth: 'runtime',
    body: ReportDigest,
    response: DigestAnswer,
  }),
  reportCompatibleEvent: route({
    method: 'POST',
    path: '/2.0/api/events',
    summary:
      'One event in the shape of other Argo CD reporters; the token may come without "Bearer". Applications are taken.',
    auth: 'runtime',
    body: CompatibleEvent,
    response: ReportReceipt,
  }),
} as const;
