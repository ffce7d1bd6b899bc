import { setMaxListeners } from 'node:events';
import { HttpClient, SeededRandom } from '@stratalog/harness';
import { freePort } from '@stratalog/local-stack';
import { CatalogClient } from '../catalog/catalog-client';
import { CatalogUnderTest } from '../catalog/catalog-under-test';
import type { FuzzOptions } from '../faults-arguments';
import { Ledger } from '../ledger/ledger';
import { passSentinels } from '../load/sentinels';
import { Violation, violationIn } from '../ledger/violation';
import type { Workspace } from '../catalog/workspace';
import { datasetUrn } from '../load/writer';
import { operationsIn } from './catalog-operations';
import { FuzzBook } from './fuzz-book';
import { faultIn, summarizeFuzzRun, type FuzzMemory, type FuzzSummary } from './fuzz-report';
import { HostileRequests } from './hostile-requests';
import { longestAnswerMs, residentMb } from './process-watch';
import { RawClient } from './raw-exchange';

export interface FuzzRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Receives the function to call at once when the process must end. */
  readonly onStarted: (endAll: () => void) => void;
}

/** Independent sequences of random numbers. */
const CLIENTS = 1;
const PIDS = 2;
const STEPS = 10;
/** The time limit for all requests: this, and an allowance for each. */
const LIMIT_MS = 120_000;
const REQUEST_LIMIT_MS = 40;
/**
 * Some 115 MB of the heap are in use. Without a limit V8 collects garbage late, and the resident memory grows for a minute although nothing
 * is kept; with this one, what is kept ends the process.
 */
const HEAP_MB = 192;

/** Sends invalid requests from many clients, and checks the catalog afterwards. */
export class FuzzRun {
  private readonly ledger = new Ledger();
  private readonly book: FuzzBook;
  private readonly random: SeededRandom;
  private catalog: CatalogUnderTest | undefined;
  private warmUpMb = 0;
  private memory: FuzzMemory | undefined;
  private longestMs: number | undefined;
  private isWell = false;

  private constructor(
    private readonly options: FuzzOptions,
    private readonly deps: FuzzRunDeps,
  ) {
    // Each partition's sentinel listens.
    setMaxListeners(0, deps.signal);
    this.random = new SeededRandom(options.seed);
    const step = Math.ceil(options.requests / STEPS);
    this.book = new FuzzBook(options.requests, (sent) => {
      if (sent === step) this.warmUpMb = this.residentMb();
      if (sent % step === 0) deps.say(`${sent} of ${options.requests} requests`);
    });
  }

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static run(options: FuzzOptions, deps: FuzzRunDeps): Promise<FuzzSummary> {
    return new FuzzRun(options, deps).run();
  }

  private async run(): Promise<FuzzSummary> {
    const startedAt = performance.now();
    const violation = await violationIn(() => this.overCatalog(), new AbortController().signal);
    const seconds = (performance.now() - startedAt) / 1000;
    const { options, book, memory, longestMs, isWell } = this;
    return summarizeFuzzRun({
      options,
      seconds,
      book,
      memory,
      longestAnswerMs: longestMs,
      isWell,
      violation,
    });
  }

  private async overCatalog(): Promise<void> {
    const { workspace, signal, onStarted } = this.deps;
    const client = new CatalogClient(await freePort(), this.options.writers, this.ledger);
    const http = new HttpClient(client.port, 2);
    const catalog = new CatalogUnderTest(workspace, client, this.random.fork(PIDS), signal);
    this.catalog = catalog;
    onStarted(() => {
      catalog.endAll();
    });
    try {
      catalog.start(false, { heapMb: HEAP_MB });
      await catalog.ready(false);
      await this.fuzz(http);
      this.memory = { warmUpMb: this.warmUpMb, endMb: this.residentMb() };
      await this.mustBeWell(client);
      const fault = faultIn(this.book, this.memory);
      if (fault !== undefined) throw new Violation('fuzz', fault);
      await catalog.stop();
    } finally {
      await catalog.end();
      client.close();
      http.close();
    }
  }

  /** Sends until no request is left, or the time is over. **Errors**: `Violation` when the catalog ends. */
  private async fuzz(http: HttpClient): Promise<void> {
    const operations = operationsIn(await textAt(http, '/openapi.json'));
    const limit = AbortSignal.timeout(LIMIT_MS + this.options.requests * REQUEST_LIMIT_MS);
    const over = new AbortController();
    const signal = AbortSignal.any([this.deps.signal, limit]);
    const watched = longestAnswerMs(http, AbortSignal.any([over.signal, signal]));
    const random = this.random.fork(CLIENTS);
    const clients = Array.from({ length: this.options.writers }, (_, at) =>
      this.sendAll(http.port, new HostileRequests(operations, random.fork(at)), signal),
    );
    await Promise.all(clients).finally(() => {
      over.abort();
    });
    this.longestMs = await watched;
    this.deps.signal.throwIfAborted();
    if (limit.aborted) throw new Violation('progress', `only ${this.book.sent} requests in the time allowed`);
  }

  private async sendAll(port: number, requests: HostileRequests, signal: AbortSignal): Promise<void> {
    const client = new RawClient(port);
    try {
      while (this.book.left > 0 && !signal.aborted) {
        const send = requests.next(this.book.left);
        this.book.claim(send.requests);
        this.book.exchanged(send, await client.exchange(send));
        this.catalog?.mustRun();
      }
    } finally {
      client.close();
    }
  }

  /** Writes into every partition, searches, follows relationships, and reads. */
  private async mustBeWell(client: CatalogClient): Promise<void> {
    const { ledger } = this;
    await passSentinels({ client, ledger, signal: this.deps.signal });
    const urn = datasetUrn('sentinel.0');
    const sent = { urn, aspectName: 'status', inTurn: true, value: 0, isAsync: false } as const;
    const { kind } = await client.send(sent);
    const read = await client.read(urn, 'status', 0);
    if (kind !== 'acknowledged' || read.kind !== 'answered' || read.status !== 200) {
      throw new Violation('reads', `a write was ${kind}, and its read ${JSON.stringify(read).slice(0, 500)}`);
    }
    this.isWell = true;
  }

  private residentMb(): number {
    return this.catalog === undefined ? 0 : residentMb(this.catalog.pid);
  }
}

async function textAt(http: HttpClient, path: string): Promise<string> {
  const answer = await http.ask({ method: 'GET', path });
  if (answer.kind === 'answered' && answer.status === 200) return answer.body;
  throw new Violation('answers', `${path} was not answered: ${JSON.stringify(answer).slice(0, 500)}`);
}
