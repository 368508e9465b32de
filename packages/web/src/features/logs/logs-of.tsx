import type { ApplicationId, RuntimeComponent } from '@fairlead/contracts';
import type { ResourceRef } from '../../api/index.ts';
import { LogPane } from './log-pane.tsx';
import { componentLog, resourceLog } from './log-source.ts';

export function ResourceLog({ id, resource }: { readonly id: ApplicationId; readonly resource: ResourceRef }) {
  return <LogPane source={resourceLog(id, resource)} />;
}

export function ComponentLog(of: { readonly runtime: string; readonly component: RuntimeComponent }) {
  return <LogPane source={componentLog(of.runtime, of.component)} />;
}
