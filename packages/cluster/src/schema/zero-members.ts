// Which members of Kubernetes' Go types are not written when they hold nothing: `""`, `false` and 0 of a member that is no
// pointer and may be left out. A pointer's zero is a value (`replicas: 0`), and stays.
import { messageFields } from '../protobuf/index.ts';

const scalars = new Set(['s', 'b', 'i']);
const plainMembers = new Map<string, ReadonlySet<string>>();

export function isUnwrittenZero(reference: string, member: string, value: unknown): boolean {
  if (value !== '' && value !== false && value !== 0) return false;
  let members = plainMembers.get(reference);
  if (!members) {
    members = membersOf(messageNameOf(reference));
    plainMembers.set(reference, members);
  }
  return members.has(member);
}

function membersOf(message: string): ReadonlySet<string> {
  const fields = [...(messageFields(message)?.values() ?? [])];
  const plain = fields.filter(({ shape, type, isPointer }) => shape === 'one' && !isPointer && scalars.has(type));
  const inlined = fields.filter(({ name }) => name === '.').flatMap(({ type }) => [...membersOf(type)]);
  return new Set([...plain.map(({ name }) => name), ...inlined]);
}

/** `io.k8s.api.core.v1.Pod` is told as `core/v1.Pod`. */
function messageNameOf(reference: string): string {
  const [kind, version, group] = reference.split('.').reverse();
  return `${group}/${version}.${kind}`;
}
