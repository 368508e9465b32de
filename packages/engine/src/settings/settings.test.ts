import { expect, it } from 'vitest';
import { parseSettings } from './argocd-cm.ts';

it('reads health scripts and ignored differences in both forms', () => {
  const { healthScripts, ignoreRules, problems } = parseSettings({
    'resource.customizations.health.example.com_Lamp': 'return {}',
    'resource.customizations.health.Pod': 'return nil',
    'resource.customizations.ignoreDifferences.apps_Deployment': 'jsonPointers: [/spec/replicas]',
    'resource.customizations.ignoreDifferences.all': 'managedFieldsManagers: [scaler]',
    'resource.customizations':
      '"*.old.io/*":\n  health.lua: |\n    return 1\n  ignoreDifferences: |\n    jqPathExpressions: [.a]\n',
  });
  expect(healthScripts).toEqual([
    { group: 'example.com', kind: 'Lamp', source: 'return {}' },
    { group: '', kind: 'Pod', source: 'return nil' },
    { group: '*.old.io', kind: '*', source: 'return 1\n' },
  ]);
  expect(ignoreRules).toMatchObject([
    { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
    { group: '*', kind: '*', managedFieldsManagers: ['scaler'] },
    { group: '*.old.io', kind: '*', jqPathExpressions: ['.a'] },
  ]);
  expect(problems).toEqual([]);
});

it('reads tracking and kinds that are left out', () => {
  const settings = parseSettings({
    'application.resourceTrackingMethod': 'annotation+label',
    'application.instanceLabelKey': 'example.com/app',
    'resource.exclusions': '- apiGroups: ["*.example.com"]\n  kinds: ["*"]\n  clusters: [https://a]\n',
  });
  expect(settings.tracking).toEqual({ method: 'annotation+label', labelKey: 'example.com/app' });
  expect(settings.exclusions).toEqual([{ apiGroups: ['*.example.com'], kinds: ['*'], clusters: ['https://a'] }]);
  expect(settings.inclusions).toBeUndefined();
});

it('tells what it cannot follow and goes on with the rest', () => {
  const settings = parseSettings({
    'application.resourceTrackingMethod': 'stars',
    'resource.exclusions': 'not: a list',
    'resource.customizations.health.Pod': 'return nil',
  });
  expect(settings.problems).toEqual([
    'argocd-cm: resource.exclusions: must be a list of {apiGroups, kinds, clusters}',
    'argocd-cm: application.resourceTrackingMethod: stars is not known; allowed: annotation, label, annotation+label',
  ]);
  expect(settings.tracking.method).toBe('annotation');
  expect(settings.healthScripts).toHaveLength(1);
});
