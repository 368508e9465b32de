export { type AcceptedBatch, readBatch } from './accept.ts';
export { compareDigest } from './digest.ts';
export { type IngestDeps, IngestMetrics, ingestBatch } from './ingest-batch.ts';
