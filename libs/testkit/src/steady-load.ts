import { setTimeout } from 'node:timers/promises';
import { HttpClient, toLatencies, type Latencies } from '@stratalog/harness';

const PERIOD_MS = 5;

/**
 * Sends 200 reads a second, independent of earlier answers, until one fails; `stop` ends it and returns the duration of each.
 *
 * **Errors**: `stop` throws what failed. A test that ran out of time never calls it, and the servers may be gone by then.
 */
export class SteadyLoad {
  private readonly http: HttpClient;
  private readonly times: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isOver = false;
  private failure: Error | undefined;
  private readonly running: Promise<void>;

  constructor(
    port: number,
    private readonly target: string,
  ) {
    this.http = new HttpClient(port, 64, limitMs(60_000));
    this.running = this.run();
  }

  async stop(): Promise<Latencies> {
    this.isOver = true;
    await this.running;
    await Promise.all(this.underWay);
    this.http.close();
    if (this.failure !== undefined) throw this.failure;
    return toLatencies(this.times);
  }

  private async run(): Promise<void> {
    for (let next = performance.now(); !this.isOver; next += PERIOD_MS) {
      const sent = this.read();
      this.underWay.add(sent);
      void sent.finally(() => this.underWay.delete(sent));
      await setTimeout(Math.max(0, next + PERIOD_MS - performance.now()));
    }
  }

  private async read(): Promise<void> {
    const begin = performance.now();
    const answer = await this.http.ask({ method: 'GET', path: this.target });
    this.times.push(performance.now() - begin);
    if (answer.kind === 'answered' && answer.status === 200) return;
    this.failure ??= new Error(`a read was answered with ${JSON.stringify(answer)}`);
    this.isOver = true;
  }
}
