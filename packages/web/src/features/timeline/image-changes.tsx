import { ToArrow } from '../../ui/index.ts';
import { imageVersion } from '../../words/index.ts';

interface Images {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface ImageChange {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Images that came, went or changed their version, by name. */
export function imageChanges({ from, to }: Images): readonly ImageChange[] {
  const before = new Map(from.map((image) => [imageVersion(image).name, imageVersion(image).version]));
  const after = new Map(to.map((image) => [imageVersion(image).name, imageVersion(image).version]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, from: before.get(name), to: after.get(name) }))
    .filter((change) => change.from !== change.to);
}

export function ImageChanges({ images }: { readonly images: Images }) {
  const changes = imageChanges(images);
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Images" className="mt-1.5 flex flex-wrap gap-1.5 font-mono text-xs">
      {changes.map(({ name, from, to }) => (
        <li key={name} className="flex items-center gap-1 rounded bg-surface-2 px-1.5 py-0.5">
          <span className="text-muted">{name}</span> {from ?? 'none'}
          <ToArrow /> <b>{to ?? 'none'}</b>
        </li>
      ))}
    </ul>
  );
}
