import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const PERIOD_MS = 5;

/**
 * Sends 200 reads a second, independent of earlier answers; `stop` ends it and returns the duration of each.
 */
export class SteadyLoad {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly times: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly port: number,
    private readonly target: string,
  ) {
    this.running = this.run();
  }

  /** **Units**: the 99th percentile of the reads, in milliseconds. */
  async stop(): Promise<{ readonly count: number; readonly p99Ms: number }> {
    this.isOver = true;
    await this.running;
    await Promise.all(this.underWay);
    this.agent.destroy();
    const sorted = this.times.toSorted((a, b) => a - b);
    return { count: sorted.length, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
  }

  private async run(): Promise<void> {
    for (let next = performance.now(); !this.isOver; next += PERIOD_MS) {
      const sent = this.read();
      this.underWay.add(sent);
      void sent.finally(() => this.underWay.delete(sent));
      await setTimeout(Math.max(0, next + PERIOD_MS - performance.now()));
    }
  }

  private read(): Promise<void> {
    const begin = performance.now();
    return new Promise((resolve, reject) => {
      const call = request(
        { agent: this.agent, host: '127.0.0.1', port: this.port, path: this.target },
        (answer) => {
          answer.resume().once('end', () => {
            this.times.push(performance.now() - begin);
            if (answer.statusCode === 200) resolve();
            else reject(new Error(`a read was answered with ${String(answer.statusCode)}`));
          });
        },
      );
      call.once('error', reject).end();
    });
  }
}
