// Who a client is, asked for anew when it runs out: a fixed token, a file that is rotated, a name and password, or a program
// that gives out credentials (exec plugins of kubeconfig). Nothing of a credential reaches an error text.
import { readFile } from 'node:fs/promises';
import { type Clock, exec, TerminalError } from '@fairlead/base';
import { isRecord, stringAt } from '../object/index.ts';
import type { ClusterConnection, ExecPlugin } from './kubeconfig.ts';

export interface Credential {
  readonly authorization?: string | undefined;
  /** PEM; only programs give these out here, fixed ones are the connection's. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

export class CredentialError extends TerminalError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('no_credential', message, options);
  }
}

const fileFreshMs = 60_000;
const pluginTimeoutMs = 60_000;
/** Asked for again this long before the end, so that no request goes out with what ends on its way. */
const marginMs = 10_000;

export class Credentials {
  readonly #connection: ClusterConnection;
  readonly #clock: Clock;
  #kept: { value: Credential; untilMs: number } | undefined;
  #asking: Promise<Credential> | undefined;

  constructor(connection: ClusterConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Requests that come together ask once. */
  async current(): Promise<Credential> {
    if (this.#kept && this.#clock.now() < this.#kept.untilMs) return this.#kept.value;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The server did not take it: the next request asks anew, unless another one has since. True when asking anew can help. */
  forget(authorization: string | undefined): boolean {
    const { exec: plugin, tokenFile } = this.#connection;
    if (this.#kept?.value.authorization === authorization) this.#kept = undefined;
    return plugin !== undefined || tokenFile !== undefined;
  }

  async #ask(): Promise<Credential> {
    const { exec: plugin, tokenFile, token, username, password } = this.#connection;
    if (plugin) return this.#keep(await runPlugin(plugin, this.#connection));
    if (tokenFile) {
      const authorization = `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`;
      return this.#keep({ value: { authorization }, untilMs: this.#clock.now() + fileFreshMs });
    }
    const basic = () => `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
    const authorization = token ? `Bearer ${token}` : username === undefined ? undefined : basic();
    return this.#keep({ value: { authorization }, untilMs: Number.POSITIVE_INFINITY });
  }

  #keep(kept: { value: Credential; untilMs: number }): Credential {
    this.#kept = kept;
    return kept.value;
  }
}

async function runPlugin(plugin: ExecPlugin, { server, ca }: ClusterConnection) {
  const { apiVersion, command, args, env } = plugin;
  const cluster = { server, ...(ca ? { 'certificate-authority-data': Buffer.from(ca).toString('base64') } : {}) };
  const spec = { interactive: false, ...(plugin.provideClusterInfo ? { cluster } : {}) };
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const hint = plugin.installHint ? `; ${plugin.installHint}` : '';
  let text: string;
  try {
    const { stdout } = await exec(command, args, {
      env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
      timeoutMs: pluginTimeoutMs,
    });
    text = stdout.toString();
  } catch (cause) {
    throw new CredentialError(`the credential plugin ${command} failed${hint}`, { cause });
  }
  return readExecCredential(text, plugin);
}

function readExecCredential(text: string, { apiVersion, command }: ExecPlugin) {
  const refuse = (why: string) => new CredentialError(`the credential plugin ${command} ${why}`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw refuse('printed no JSON'); // what it printed may hold a secret
  }
  if (!isRecord(given) || given['kind'] !== 'ExecCredential') throw refuse('printed no ExecCredential');
  if (given['apiVersion'] !== apiVersion) throw refuse(`answered in ${String(given['apiVersion'])}, not ${apiVersion}`);
  const token = stringAt(given, 'status', 'token');
  const clientCertificate = stringAt(given, 'status', 'clientCertificateData');
  const clientKey = stringAt(given, 'status', 'clientKeyData');
  if (!token && !(clientCertificate && clientKey)) throw refuse('gave neither a token nor a certificate with its key');
  const ends = Date.parse(stringAt(given, 'status', 'expirationTimestamp') ?? '');
  const untilMs = Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends - marginMs;
  return { value: { authorization: token && `Bearer ${token}`, clientCertificate, clientKey }, untilMs };
}
