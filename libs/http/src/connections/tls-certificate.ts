import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server as HttpsServer } from 'node:https';
import { Server as TlsServer, createSecureContext, type SecureContextOptions } from 'node:tls';
import { InvalidSettingError } from '@stratalog/domain';

export interface TlsFiles {
  /** PEM file of the certificate, followed by those of its issuers. */
  readonly certificateFile: string;
  /** PEM file of its private key, without a password. */
  readonly keyFile: string;
}

/** Certificate and key of a server with TLS. */
export type TlsOptions = Required<Pick<SecureContextOptions, 'cert' | 'key' | 'minVersion'>>;

/** Files are compared so often; renewed ones may be links that now lead to others, which no watch of a folder sees. */
const CHECK_MS = 2_000;

/**
 * Reads certificate and key.
 *
 * **Errors**: `InvalidSettingError` that names the setting when a file cannot be read, holds no certificate or key, or
 * the two do not belong together. It shows no content.
 */
export function readTls({ certificateFile, keyFile }: TlsFiles): TlsOptions {
  const cert = read('STRATALOG_TLS_CERT_FILE', certificateFile, 'a PEM file with a certificate', (pem) => {
    return new X509Certificate(pem);
  });
  const key = read(
    'STRATALOG_TLS_KEY_FILE',
    keyFile,
    'a PEM file with a private key without a password',
    (pem) => {
      return createPrivateKey(pem);
    },
  );
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    throw new InvalidSettingError(
      `STRATALOG_TLS_KEY_FILE is "${keyFile}"; allowed: the key of the certificate in STRATALOG_TLS_CERT_FILE`,
    );
  }
  const options: TlsOptions = { cert: cert.pem, key: key.pem, minVersion: 'TLSv1.2' };
  rejectUnusable(options, certificateFile);
  return options;
}

/** The parts above are sound one by one; this finds a broken certificate of an issuer, and a key that is too weak. */
function rejectUnusable(options: TlsOptions, certificateFile: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    throw new InvalidSettingError(
      `STRATALOG_TLS_CERT_FILE is "${certificateFile}" (${code}); allowed: certificates that TLS can use, that of the server first`,
    );
  }
}

function read<Parsed>(
  setting: string,
  file: string,
  allowed: string,
  parse: (pem: string) => Parsed,
): { readonly pem: string; readonly parsed: Parsed } {
  try {
    const pem = readFileSync(file, 'utf8');
    return { pem, parsed: parse(pem) };
  } catch (error) {
    // Messages of the parser may quote what the file holds.
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
    throw new InvalidSettingError(`${setting} is "${file}"${reason}; allowed: ${allowed}`);
  }
}

/**
 * Lets a server take renewed files without a restart: connections that exist keep their certificate. Files that do
 * not belong together, as in the middle of a renewal, change nothing until they do.
 *
 * Returns the function that ends it.
 */
export function followTls(
  server: Pick<HttpsServer, 'setSecureContext'>,
  files: TlsFiles,
  onReload: (fault: Error | undefined) => void,
): () => void {
  let last = readTls(files);
  // The files may have changed since the server was made.
  server.setSecureContext(last);
  const reload = (): void => {
    try {
      const next = readTls(files);
      if (next.cert === last.cert && next.key === last.key) return;
      server.setSecureContext(next);
      last = next;
      onReload(undefined);
    } catch (error) {
      onReload(error as Error);
    }
  };
  const paths = [files.certificateFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: CHECK_MS, persistent: false }, reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
  };
}

/** True when a server expects TLS. */
export function usesTls(server: object): server is TlsServer {
  return server instanceof TlsServer;
}
