export { AllowedRemotes, notAllowed } from './allowed-remotes.ts';
export {
  type RemoteReference,
  type RemoteTree,
  type RemoteTrees,
  stillAt,
  TracedRemotes,
  type UsedRemote,
} from './remote-trees.ts';
export { parseRemote } from './remote-url.ts';
