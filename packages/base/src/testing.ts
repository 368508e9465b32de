// What tests and benches of several packages need; nothing of it is part of a program.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from './exec.ts';

interface CertificateOptions {
  readonly name?: string;
  /** As OpenSSL writes them, e.g. `IP:127.0.0.1,DNS:localhost`. */
  readonly altNames?: string;
}

/** A certificate that vouches for itself and its key, PEM, for two days. Needs `openssl` on the PATH. */
export async function selfSigned(options: CertificateOptions = {}): Promise<{ key: string; cert: string }> {
  const { name = 'test', altNames = 'IP:127.0.0.1' } = options;
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-certificate-'));
  try {
    const files = ['-keyout', join(dir, 'key'), '-out', join(dir, 'cert')];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    await exec('openssl', ['req', ...kind, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${altNames}`, ...files]);
    const [key = '', cert = ''] = await Promise.all(['key', 'cert'].map((file) => readFile(join(dir, file), 'utf8')));
    return { key, cert };
  } finally {
    await rm(dir, { recursive: true });
  }
}
