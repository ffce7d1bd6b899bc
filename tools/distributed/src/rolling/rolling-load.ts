import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface LoadOptions {
  /** Of the proxies. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly perSecond: number;
}

interface Answer {
  readonly code: number | undefined;
  readonly body: string;
}

interface KnownHealth {
  readonly apps: readonly { readonly app: string; readonly status: string }[];
}

const ASK_EVERY_MS = 100;
/** Requests under way at most: a busy machine gets fewer, and has no backlog. */
const AT_ONCE = 4;
const TAG = 'urn:li:tag:rolling';
const ASPECT = { type: 'application/json' };

/**
 * Requests at a steady rate where the machine keeps up, as from behind a balancer in front of the proxies: each goes to one that has said it is ready, over connections
 * that are kept.
 */
export class RollingLoad {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly stopping = new AbortController();
  private ready: readonly string[] = [];
  private sent = 0;
  private answered = 0;
  private readonly failures: string[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private loops: readonly Promise<void>[] = [];

  constructor(private readonly options: LoadOptions) {}

  /** True when a proxy is ready, and answers each kind of request. */
  async isServed(): Promise<boolean> {
    await this.probe();
    if (this.ready.length === 0) return false;
    const answers = await Promise.all([0, 1, 2, 3].map((at) => this.ask(at)));
    return answers.every(({ code }) => code === 200);
  }

  start(): void {
    this.loops = [
      this.every(ASK_EVERY_MS, () => this.probe()),
      this.every(1_000 / this.options.perSecond, () => {
        this.send();
      }),
    ];
  }

  /** True when every proxy knows that the second instance of an app is ready, or the second proxy is. An app to which no request goes counts at once. */
  async knowsSecond(app: string): Promise<boolean> {
    if (app === 'proxy') return this.ready.includes(this.options.urls[1] ?? '');
    const answers = await Promise.all(this.ready.map((url) => this.call(url, 'GET', '/health')));
    return answers.every(({ body }) => {
      const instances = (JSON.parse(body) as KnownHealth).apps.filter((each) => each.app === app);
      return instances.length === 0 || instances[1]?.status === 'ready';
    });
  }

  async stop(): Promise<{ readonly answered: number; readonly failures: readonly string[] }> {
    this.stopping.abort();
    await Promise.all(this.loops);
    await Promise.all(this.underWay);
    this.agent.destroy();
    return { answered: this.answered, failures: this.failures };
  }

  private async every(ms: number, act: () => unknown): Promise<void> {
    const startedAt = performance.now();
    for (let round = 1; !this.stopping.signal.aborted; round += 1) {
      await act();
      await pause(Math.max(0, startedAt + round * ms - performance.now()));
    }
  }

  private async probe(): Promise<void> {
    const answers = await Promise.all(
      this.options.urls.map(async (url) => {
        const answer = await this.call(url, 'GET', '/health/ready').catch(() => undefined);
        return answer?.code === 200 ? [url] : [];
      }),
    );
    this.ready = answers.flat();
  }

  private send(): void {
    if (this.underWay.size >= AT_ONCE) return;
    const at = this.sent;
    this.sent += 1;
    const done = this.ask(at).then(
      ({ code, body }) => {
        if (code === 200) this.answered += 1;
        else this.failures.push(`${String(at % 4)}: ${String(code)} ${body.slice(0, 300)}`);
      },
      (error: unknown) => this.failures.push(`${String(at % 4)}: ${String(error)}`),
    );
    const settled = done.then(() => {
      this.underWay.delete(settled);
    });
    this.underWay.add(settled);
  }

  /** By turns a write, a read, a search and a question for relationships. */
  private ask(at: number): Promise<Answer> {
    const url = this.ready[Math.floor(at / 4) % this.ready.length] ?? this.options.urls[0] ?? '';
    const urn = `${TAG}${String(at % 100)}`;
    switch (at % 4) {
      case 0:
        return this.call(url, 'POST', '/aspects?action=ingestProposal', {
          proposal: {
            entityType: 'tag',
            entityUrn: urn,
            changeType: 'UPSERT',
            aspectName: 'tagProperties',
            aspect: { ...ASPECT, value: JSON.stringify({ name: `rolling ${String(at)}` }) },
          },
        });
      case 1:
        return this.call(url, 'GET', `/entitiesV2/${encodeURIComponent(urn)}`);
      case 2:
        return this.call(url, 'POST', '/entities?action=search', {
          entity: 'tag',
          input: 'rolling',
          start: 0,
          count: 5,
        });
      default:
        return this.call(
          url,
          'GET',
          `/relationships?urn=${encodeURIComponent(urn)}&types=List(OwnedBy)&direction=INCOMING`,
        );
    }
  }

  private async call(url: string, method: string, path: string, body?: object): Promise<Answer> {
    const { agent } = this;
    const headers = {
      authorization: `Bearer ${this.options.token}`,
      'content-type': 'application/json',
      'x-restli-protocol-version': '2.0.0',
    };
    const asked = request(url + path, { agent, method, headers });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { code: answer.statusCode, body: await text(answer) };
  }
}
