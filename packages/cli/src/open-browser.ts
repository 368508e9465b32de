import { spawn } from 'node:child_process';

/** Tries to open the page for the person at this machine; whoever calls has printed the link already. */
export function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined); // no browser on this machine
  child.unref();
}
