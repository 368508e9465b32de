// Makes src/protobuf/messages.gen.ts from the Go types of Kubernetes: field numbers, JSON names, pointers.
// Usage: node tools/generate-messages.mjs <git directory of kubernetes/api> <git directory of kubernetes/apimachinery>
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [apiDir, machineryDir] = process.argv.slice(2);
const show = (dir, path) =>
  execFileSync('git', ['--git-dir', dir, 'show', `HEAD:${path}`], { encoding: 'utf8', maxBuffer: 1 << 26 });

const packages = [
  'core/v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'policy/v1',
  'networking/v1',
  'rbac/v1',
  'storage/v1',
  'scheduling/v1',
  'coordination/v1',
  'discovery/v1',
  'admissionregistration/v1',
  'authorization/v1',
  'authentication/v1',
];
const roots = {
  'core/v1': [
    'Namespace',
    'ConfigMap',
    'Secret',
    'Service',
    'ServiceAccount',
    'Pod',
    'PodTemplate',
    'Event',
    'Node',
    'Endpoints',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'LimitRange',
    'ResourceQuota',
    'ReplicationController',
    'Binding',
  ],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ControllerRevision'],
  'batch/v1': ['Job', 'CronJob'],
  'autoscaling/v1': ['Scale'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'policy/v1': ['PodDisruptionBudget', 'Eviction'],
  'networking/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'rbac/v1': ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
  'storage/v1': ['StorageClass'],
  'scheduling/v1': ['PriorityClass'],
  'coordination/v1': ['Lease'],
  'discovery/v1': ['EndpointSlice'],
  'admissionregistration/v1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'authorization/v1': [
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
    'LocalSubjectAccessReview',
  ],
  'authentication/v1': ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  'meta/v1': ['DeleteOptions'],
};
const leaves = {
  string: 's',
  bool: 'b',
  int: 'i',
  int32: 'i',
  int64: 'i',
  uint32: 'i',
  uint64: 'i',
  float64: 'd',
  'meta/v1.Time': 'T',
  'meta/v1.MicroTime': 'U',
  'meta/v1.Duration': 'D',
  'meta/v1.FieldsV1': 'F',
  'resource.Quantity': 'Q',
  'intstr.IntOrString': 'I',
  'runtime.RawExtension': 'R',
  'types.UID': 's',
  'types.NodeName': 's',
  'types.NamespacedName': 's',
};

const structs = new Map();
const aliases = new Map();
function read(name, text) {
  const imports = new Map(
    [...text.matchAll(/^\s*(\w+)?\s*"k8s\.io\/(api|apimachinery\/pkg\/apis)\/([\w/]+)"/gm)].map(([, alias, , path]) => [
      alias ?? path.split('/').at(-1),
      path,
    ]),
  );
  for (const [, type, target] of text.matchAll(/^type (\w+) (?!struct|interface)([^\n{=]+)$/gm))
    aliases.set(`${name}.${type}`, { target: target.trim(), name, imports });
  for (const [, type, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm))
    structs.set(`${name}.${type}`, { body, name, imports });
}
for (const name of packages) read(name, show(apiDir, `${name}/types.go`));
read('meta/v1', show(machineryDir, 'pkg/apis/meta/v1/types.go'));

function resolve(go, { name, imports }) {
  if (leaves[go]) return leaves[go];
  const [prefix, local] = go.includes('.') ? go.split('.') : [undefined, go];
  const path = prefix === undefined ? name : (imports.get(prefix) ?? (prefix === 'metav1' ? 'meta/v1' : prefix));
  const full = `${path}.${local}`;
  if (leaves[full]) return leaves[full];
  if (structs.has(full)) return full;
  const alias = aliases.get(full);
  if (!alias) throw new Error(`unknown type ${full} (${go} in ${name})`);
  const { target } = alias;
  if (target.startsWith('map[')) return typeOf(target, alias);
  // A named list is a message of its own: `items` under number 1.
  if (target.startsWith('[]')) return `[=${resolve(target.slice(2), alias)}`;
  return resolve(target, alias);
}

function typeOf(go, scope) {
  if (go === '[]byte') return 'y';
  if (go.startsWith('*')) return `${typeOf(go.slice(1), scope)}?`;
  if (go.startsWith('map[')) {
    const value = go.slice(go.indexOf(']') + 1);
    return `{${typeOf(value, scope)}`;
  }
  if (go.startsWith('[]')) return `[${typeOf(go.slice(2), scope)}`;
  return resolve(go, scope);
}

const field = /^\s*(?:(\w+)\s+)?([*\w[\].]+)\s+`json:"([^"]*)"[^`]*protobuf:"\w+,(\d+)/;
const messages = {};
function visit(full) {
  if (messages[full] || !structs.has(full)) return;
  const scope = structs.get(full);
  messages[full] = '';
  const fields = [];
  for (const line of scope.body.split('\n')) {
    const match = line.trimStart().startsWith('//') ? null : field.exec(line);
    if (!match) continue;
    const [, , go, json, number] = match;
    const [jsonName] = json.split(',');
    // Alpha groups are not served here, so nothing can be said in their types.
    if (/v\dalpha\d/.test(go)) continue;
    const type = typeOf(go, scope);
    fields.push(`${number} ${jsonName === '' ? '.' : jsonName} ${type}`);
    visit(type.replaceAll(/[[\]{}=?]/g, ''));
  }
  messages[full] = fields.join(';');
}
for (const [name, kinds] of Object.entries(roots)) for (const kind of kinds) visit(`${name}.${kind}`);

const rows = Object.keys(messages)
  .sort()
  .map((name) => `  '${name}':\n    '${messages[name]}',`);
writeFileSync(
  new URL('../src/protobuf/messages.gen.ts', import.meta.url),
  `// Generated by tools/generate-messages.mjs from the Go types of Kubernetes (Apache-2.0). Do not edit.\n// Each field: number, JSON name ('.' = its members stand in the parent), type.\nexport const messages: Readonly<Record<string, string>> = {\n${rows.join('\n')}\n};\n`,
);
console.log(`${rows.length} messages`);
