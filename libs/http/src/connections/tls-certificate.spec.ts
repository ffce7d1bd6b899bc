import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';
import { readTls, type TlsFiles } from './tls-certificate';

interface Pair {
  readonly cert: string;
  readonly private: string;
}

const makePair = (commonName: string): Promise<Pair> =>
  generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });

describe('a server with TLS', () => {
  let folder: string;
  let files: TlsFiles;
  let first: Pair;
  let second: Pair;
  let wire: BootedWire | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stratalog-tls-'));
    files = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    [first, second] = await Promise.all([makePair('first'), makePair('second')]);
  });
  afterEach(async () => {
    await wire?.application.close();
    wire = undefined;
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async ({ cert, private: key }: Pair): Promise<void> => {
    await writeFile(files.certificateFile, cert);
    await writeFile(files.keyFile, key);
  };

  /** Boots a server; `nextReload` resolves with the fault of the next reload, or with undefined. */
  const boot = async () => {
    await write(first);
    const waiting: ((fault: Error | undefined) => void)[] = [];
    const onReload = (fault: Error | undefined): void => {
      for (const resolve of waiting.splice(0)) resolve(fault);
    };
    wire = await bootWire(SampleModule, { tls: { files, onReload } });
    const nextReload = (): Promise<Error | undefined> =>
      new Promise((resolve) => {
        waiting.push(resolve);
      });
    return { port: wire.port, nextReload };
  };
  const readHealth = (port: number, ca: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get({ port, host: 'localhost', family: 4, path: '/health', ca, agent: false }, (answer) => {
        answer.resume().once('end', () => {
          resolve(answer.statusCode);
        });
      }).once('error', reject);
    });
  /** Returns the version of a connection and the name in the server's certificate. */
  const shakeHands = (port: number, options: ConnectionOptions = {}): Promise<[string | null, string]> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connect(
        { port, host: '127.0.0.1', rejectUnauthorized: false, ...options },
        () => {
          const { subject }: PeerCertificate = socket.getPeerCertificate();
          resolve([socket.getProtocol(), String(subject.CN)]);
          socket.destroy();
        },
      );
      socket.once('error', reject);
    });

  it('answers over TLS 1.2 and 1.3, and nothing older', async () => {
    const { port } = await boot();
    expect(await readHealth(port, first.cert)).toBe(200);
    expect(await shakeHands(port)).toEqual(['TLSv1.3', 'first']);
    expect(await shakeHands(port, { maxVersion: 'TLSv1.2' })).toEqual(['TLSv1.2', 'first']);
    await expect(
      shakeHands(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
    await expect(readHealth(port, second.cert)).rejects.toThrow(/self-signed|unable to verify/);
  });

  it('survives clients that speak plain HTTP', async () => {
    const { port } = await boot();
    await new Promise<void>((resolve) => {
      const socket = connectPlain(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\n\r\n'));
      socket.resume().once('error', () => undefined);
      socket.once('close', () => {
        resolve();
      });
    });
    expect(await readHealth(port, first.cert)).toBe(200);
  });

  it('takes a renewed certificate without a restart, once its key is there too', async () => {
    const { port, nextReload } = await boot();
    const half = nextReload();
    await writeFile(files.certificateFile, second.cert);
    expect((await half)?.message).toContain('STRATALOG_TLS_KEY_FILE');
    expect(await shakeHands(port)).toEqual(['TLSv1.3', 'first']);
    const whole = nextReload();
    await writeFile(files.keyFile, second.private);
    expect(await whole).toBeUndefined();
    expect(await shakeHands(port)).toEqual(['TLSv1.3', 'second']);
  });

  it('does not start with files that it cannot use, and shows nothing of them', async () => {
    await write(first);
    const messageFor = (wrong: Partial<TlsFiles>): string => {
      try {
        readTls({ ...files, ...wrong });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const other = join(folder, 'other.pem');
    await writeFile(other, 'a-secret');
    expect(messageFor({ certificateFile: join(folder, 'none') })).toBe(
      `STRATALOG_TLS_CERT_FILE is "${join(folder, 'none')}" (ENOENT); allowed: a PEM file with a certificate`,
    );
    expect(messageFor({ keyFile: other })).toBe(
      `STRATALOG_TLS_KEY_FILE is "${other}"; allowed: a PEM file with a private key without a password`,
    );
    expect(messageFor({ certificateFile: other })).not.toContain('a-secret');
    const broken = `${first.cert}\n-----BEGIN CERTIFICATE-----\na-secret\n-----END CERTIFICATE-----\n`;
    await writeFile(other, broken);
    expect(messageFor({ certificateFile: other })).toMatch(
      /^STRATALOG_TLS_CERT_FILE is "\S+" \(ERR_\w+\); allowed: certificates that TLS can use/,
    );
    await writeFile(other, second.private);
    expect(messageFor({ keyFile: other })).toContain('the key of the certificate');
  });
});
