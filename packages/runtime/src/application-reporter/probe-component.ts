import { errorMessage, readAll } from '@fairlead/base';
import type { RuntimeComponent, RuntimeReport } from '@fairlead/contracts';
import { versionHeader } from '../version.ts';

export type Component = RuntimeReport['components'][number] & { readonly name: RuntimeComponent };

const maxReasonBytes = 4_096;

/**
 * One that answers but says by its `/readyz` that it cannot work yet is Progressing, in its own words; one that does not
 * answer is Degraded.
 */
export async function probeComponent(name: RuntimeComponent, url: string, signal: AbortSignal): Promise<Component> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal });
    const said = (await readAll(answer.body, { maxBytes: maxReasonBytes })).toString('utf8');
    const version = answer.headers.get(versionHeader) ?? '';
    if (answer.ok) return { name, version, health: 'Healthy' };
    if (answer.status === 503) return { name, version, health: 'Progressing', message: said };
    return { name, version, health: 'Degraded', message: `its probe answers ${answer.status}` };
  } catch (error) {
    return { name, version: '', health: 'Degraded', message: `it does not answer: ${errorMessage(error)}` };
  }
}
