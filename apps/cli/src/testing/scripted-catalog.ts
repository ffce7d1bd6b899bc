import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { ExitCode } from '../exit-code';
import { runCli } from '../run-cli';

/** One answer of a {@link ScriptedCatalog}. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The outcome of a command line. */
export interface Run {
  readonly exit: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: Readable;
  readonly interrupted?: AbortSignal;
  /** More variables than the server's address. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The other end of the wire in specs: an HTTP server with scripted answers, and a folder for its files. The
 * spec that starts one stops it.
 */
export class ScriptedCatalog {
  /** Answers every request; 200 without a body unless a spec replaces it. */
  reply: (request: IncomingMessage, body: string) => Reply | Promise<Reply> = () => ({ status: 200 });

  private constructor(
    private readonly server: Server,
    readonly url: string,
    readonly folder: string,
  ) {}

  static async start(): Promise<ScriptedCatalog> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const catalog = new ScriptedCatalog(server, url, await mkdtemp(join(tmpdir(), 'stratalog-cli-')));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void catalog.answer(request, response);
    });
    return catalog;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true });
  }

  /** Writes a file and returns its path. */
  async file(name: string, text: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }

  /** Runs a command line against this server; pauses before retries take no time. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    const [stdout, stderr] = [collector(), collector()];
    const exit = await runCli(args, {
      stdin: options.stdin ?? Readable.from([]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      live: false,
      folder: this.folder,
      env: { STRATALOG_URL: this.url, ...options.env },
      interrupted: options.interrupted ?? new AbortController().signal,
      pause: () => Promise.resolve(),
    });
    return { exit, out: stdout.text(), err: stderr.text() };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body, headers } = await this.reply(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status, headers);
    response.end(body === undefined ? '' : JSON.stringify(body));
  }
}

/** Makes a rejection in the catalog's error shape. */
export function rejection(status: number, message: string): Reply {
  return { status, body: { status, message } };
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
