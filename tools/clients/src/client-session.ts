import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment } from '@stratalog/docs';
import {
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '@stratalog/model';
import { FOLDER } from './folder';
import type { PythonEnvironment } from './python-environments';
import { PythonPrograms, type Ended } from './python-programs';

export interface SessionOptions {
  readonly environment: PythonEnvironment;
  /** Address of the catalog. */
  readonly url: string;
  /** Where the client keeps its settings and we the files that we give it. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

/** A command that hangs is one that failed: the slowest take some seconds. */
const LIMIT_MS = 120_000;

/** One release of the client in front of one catalog. What was stored is read without the client. */
export class ClientSession {
  readonly release: string;
  readonly url: string;
  /** What was run since `takeOutput`, for whoever has to find out why a step failed. */
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

  /** True for the release of today; the one before it has fewer commands and methods. */
  get isCurrent(): boolean {
    return !this.release.startsWith('0.');
  }

  /** The program `datahub`. */
  command(...args: readonly string[]): Promise<Ended> {
    return this.noted(this.python.run(join(this.bin, 'datahub'), args), ['datahub', ...args]);
  }

  /** A program of ours on top of the client's library. */
  script(name: string): Promise<Ended> {
    const program = join(FOLDER, 'python', `${name}.py`);
    return this.noted(this.python.run(program, [this.url]), ['python', program, this.url]);
  }

  /** Lines of a shell, as a page tells them. */
  shell(lines: string): Promise<Ended> {
    return this.noted(this.bash(lines), ['bash', lines]);
  }

  /** Ends what still runs. */
  close(): Promise<void> {
    return this.python.stop();
  }

  /** A file that the client is given. */
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

  /** The aspects of an entity, each with its value and what is known about it. */
  async aspectsOf(urn: string): Promise<JsonObject> {
    const { aspects } = await this.ask(`/entitiesV2/${encodeURIComponent(urn)}`);
    return aspects as JsonObject;
  }

  async valueOf(urn: string, aspect: string): Promise<JsonValue | undefined> {
    const envelope = (await this.aspectsOf(urn))[aspect];
    return isJsonObject(envelope) ? envelope.value : undefined;
  }

  /** What a search finds. */
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

  /** Nothing of whoever runs us: neither settings of another catalog nor a home with some. */
  private environment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(plainEnvironment()).filter(([name]) => !name.startsWith('DATAHUB_'));
    return {
      ...Object.fromEntries(inherited),
      PATH: `${this.bin}:${process.env.PATH ?? ''}`,
      HOME: this.options.folder,
      DATAHUB_GMS_URL: this.url,
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
