export { askGitRights } from './ask-git-rights.ts';
export { relayCall, relayStream } from './relay.ts';
export { mountTunnels, type RuntimeTunnels } from './runtime-tunnels.ts';
