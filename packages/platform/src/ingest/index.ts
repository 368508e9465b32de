export { compareDigest } from './digest.ts';
export { IngestMetrics, ingestBatch } from './ingest-batch.ts';
