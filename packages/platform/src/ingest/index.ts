export { readCompatibleEvent } from './compatible.ts';
export { compareDigest } from './digest.ts';
export { IngestMetrics, ingestBatch } from './ingest-batch.ts';
export { projectApplication } from './projection.ts';
