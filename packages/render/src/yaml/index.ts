export { parseDocuments } from './documents.ts';
export { isEmptyMember } from './empty-members.ts';
