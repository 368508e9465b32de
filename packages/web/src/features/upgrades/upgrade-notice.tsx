import type { Upgrade } from '@fairlead/contracts';
import { Notice, SafeLink } from '../../ui/index.ts';

interface UpgradeNoticeProps {
  /** `The platform`, or a runtime's name. */
  readonly of: string;
  readonly version: string | undefined;
  readonly upgrade: Upgrade;
}

/** That a newer version is out, in the words of the operator's feed. */
export function UpgradeNotice({ of, version, upgrade }: UpgradeNoticeProps) {
  const title = `${of} can be upgraded to ${upgrade.version}${upgrade.security ? ', which mends a security fault' : ''}.`;
  return (
    <Notice
      kind={upgrade.security ? 'warning' : 'info'}
      title={title}
      actions={upgrade.url ? <SafeLink url={upgrade.url}>What is new</SafeLink> : null}
    >
      {version ? `It runs ${version}. ` : ''}
      {upgrade.summary}
    </Notice>
  );
}
