// The Applications an ApplicationSet asks for.
import { ApplicationSetShape, argoApiVersion, checker, resourcesFinalizer } from '@fairlead/contracts';
import { isRecord, jsonMergePatch, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube';
import { parseDocuments } from '@fairlead/render';
import { type GeneratorContext, GeneratorError, generate, withoutNulls } from './generators.ts';
import type { Parameters } from './parameters.ts';
import { fill, fillText, type TemplateOptions } from './template.ts';

const checkShape = checker(ApplicationSetShape);

export async function desiredApplications(
  set: KubeObject,
  namespace: string,
  reader: Omit<GeneratorContext, 'template'>,
): Promise<KubeObject[]> {
  const shape = checkShape(withoutNulls(recordAt(set, 'spec')));
  const [problem] = shape.ok ? [] : shape.problems;
  if (problem) throw new GeneratorError(`spec.${problem.field}`, problem.reason);
  const template: TemplateOptions = {
    isGo: valueAt(set, 'spec', 'goTemplate') === true,
    goOptions: listAt(set, 'spec', 'goTemplateOptions').filter((option) => typeof option === 'string'),
  };
  const strategy = stringAt(set, 'spec', 'strategy', 'type') || 'AllAtOnce';
  if (!['AllAtOnce', 'RollingSync'].includes(strategy)) {
    throw new GeneratorError('spec.strategy.type', `${JSON.stringify(strategy)}; allowed: AllAtOnce, RollingSync`);
  }
  const made = new Map<string, KubeObject>();
  for (const [index, generator] of listAt(set, 'spec', 'generators').entries()) {
    const at = `spec.generators[${index}]`;
    for (const parameters of await generate(generator, at, { ...reader, template })) {
      const application = instantiate(set, parameters, { namespace, template });
      const { name } = application.metadata;
      if (made.has(name)) throw new GeneratorError(at, `contains applications with duplicate name: ${name}`);
      made.set(name, application);
    }
  }
  return [...made.values()];
}

function instantiate(
  set: KubeObject,
  parameters: Parameters,
  { namespace, template }: { namespace: string; template: TemplateOptions },
): KubeObject {
  const plain = fill(recordAt(set, 'spec', 'template'), parameters, template);
  const patch = stringAt(set, 'spec', 'templatePatch');
  const [parsed] = patch ? parseDocuments(fillText(patch, parameters, template), 'spec.templatePatch') : [];
  const filled = isRecord(parsed) ? jsonMergePatch(plain, parsed) : plain;
  const name = stringAt(filled, 'metadata', 'name');
  if (!name) throw new GeneratorError('spec.template.metadata.name', 'is required');
  const { labels, annotations, finalizers } = recordAt(filled, 'metadata');
  const keeps = valueAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') === true;
  const own = Array.isArray(finalizers) ? finalizers : keeps ? [] : [resourcesFinalizer];
  const metadata = {
    name,
    namespace,
    ...(isRecord(labels) ? { labels } : {}),
    ...(isRecord(annotations) ? { annotations } : {}),
    ...(own.length > 0 ? { finalizers: own } : {}),
    ownerReferences: [
      {
        apiVersion: argoApiVersion,
        kind: 'ApplicationSet',
        name: set.metadata.name,
        uid: set.metadata.uid ?? '',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  } as KubeObject['metadata']; // the API server checks labels and annotations
  return { apiVersion: argoApiVersion, kind: 'Application', metadata, spec: recordAt(filled, 'spec') };
}
