import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, plainEnvironment } from '@stratalog/harness';
import {
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '@stratalog/json';
import type { PythonEnvironment } from './python-environments';
import { PythonPrograms, type Ended } from './python-programs';

export interface SessionOptions {
  readonly environment: PythonEnvironment;
  /** Address of the catalog. */
  readonly url: string;
  /** The operator's token; without it the client sends none. */
  readonly token?: string;
  /** By which calls the command line and emitters write; the client's default unless set. */
  readonly endpoint?: 'OPENAPI';
  /** The folder for the client's settings and for its input files. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

/** A command that hangs counts as failed: the slowest takes some seconds. */
const LIMIT_MS = 120_000;

/** One release of the client connected to one catalog. Stored data are read without the client. */
export class ClientSession {
  readonly release: string;
  readonly url: string;
  /** The output since `takeOutput`, to explain a failed step. */
  private output = '';
  private files = 0;
  private readonly python: PythonPrograms;

  constructor(private readonly options: SessionOptions) {
    this.release = options.environment.release;
    this.url = options.url;
    this.python = new PythonPrograms({
      python: join(this.bin, 'python'),
      folder: options.folder,
      env: this.environment(),
      limitMs: LIMIT_MS,
      signal: options.signal,
    });
  }

  /** True for the current release; the one before it has fewer commands and methods. */
  get isCurrent(): boolean {
    return !this.release.startsWith('0.');
  }

  /** Runs the program `datahub`. */
  command(...args: readonly string[]): Promise<Ended> {
    return this.noted(this.python.run(join(this.bin, 'datahub'), args), ['datahub', ...args]);
  }

  /** Runs a script that uses the client's library. */
  script(name: string): Promise<Ended> {
    const program = join(ROOT, 'tools/clients/python', `${name}.py`);
    return this.noted(this.python.run(program, [this.url]), ['python', program, this.url]);
  }

  /** Runs lines of a shell, as a page shows them. */
  shell(lines: string): Promise<Ended> {
    return this.noted(this.bash(lines), ['bash', lines]);
  }

  /** Ends running programs. */
  close(): Promise<void> {
    return this.python.stop();
  }

  /** Writes an input file for the client. */
  file(value: JsonOutput): string {
    const path = join(this.options.folder, `given-${String((this.files += 1))}.json`);
    writeFileSync(path, stringifyJson(value));
    return path;
  }

  takeOutput(): string {
    const { output } = this;
    this.output = '';
    return output;
  }

  /** Returns the aspects of an entity, each with its value and its metadata. */
  async aspectsOf(urn: string): Promise<JsonObject> {
    const { aspects } = await this.ask(`/entitiesV2/${encodeURIComponent(urn)}`);
    return aspects as JsonObject;
  }

  async valueOf(urn: string, aspect: string): Promise<JsonValue | undefined> {
    const envelope = (await this.aspectsOf(urn))[aspect];
    return isJsonObject(envelope) ? envelope.value : undefined;
  }

  /** Returns the urns that a search finds. */
  async find(entity: string, input: string): Promise<readonly string[]> {
    const body = stringifyJson({ input, entity, start: 0, count: 100 });
    const { value } = await this.ask('/entities?action=search', { method: 'POST', body });
    return (value as JsonObject).entities as string[];
  }

  async readStatus(target: string): Promise<number> {
    return (await fetch(`${this.url}${target}`)).status;
  }

  private async ask(target: string, init: RequestInit = {}): Promise<JsonObject> {
    const answer = await fetch(`${this.url}${target}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${target}: ${text}`);
    return parseJson(text) as JsonObject;
  }

  private async bash(lines: string): Promise<Ended> {
    const { folder, signal } = this.options;
    const child = spawn('/bin/bash', ['-euo', 'pipefail', '-c', lines], {
      cwd: folder,
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    return { status, stdout, stderr };
  }

  private async noted(running: Promise<Ended>, command: readonly string[]): Promise<Ended> {
    const ended = await running;
    const { status, stdout, stderr } = ended;
    this.output += `$ ${command.join(' ')}\n${stdout}${stderr}(exit ${String(status)})\n`;
    return ended;
  }

  private get bin(): string {
    return join(this.options.environment.folder, 'bin');
  }

  /** Inherits no settings of another catalog, and no home folder with some. */
  private environment(): NodeJS.ProcessEnv {
    const { token, endpoint } = this.options;
    const inherited = Object.entries(plainEnvironment()).filter(([name]) => !name.startsWith('DATAHUB_'));
    return {
      ...Object.fromEntries(inherited),
      PATH: `${this.bin}:${process.env.PATH ?? ''}`,
      HOME: this.options.folder,
      DATAHUB_GMS_URL: this.url,
      ...(token === undefined ? {} : { DATAHUB_GMS_TOKEN: token }),
      ...(endpoint === undefined ? {} : { DATAHUB_REST_EMITTER_DEFAULT_ENDPOINT: endpoint }),
      DATAHUB_TELEMETRY_ENABLED: 'false',
      PYTHONIOENCODING: 'utf-8',
      PYTHONDONTWRITEBYTECODE: '1',
    };
  }
}

/** **Errors**: throws when the program did not end well. */
export function succeeded(ended: Ended): Ended {
  assert.equal(ended.status, 0, `exit code ${String(ended.status)}`);
  return ended;
}
