export { UpgradeNotice } from './upgrade-notice.tsx';
