import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { PollLoop } from '@stratalog/concurrency';
import type { RoleHealth } from '@stratalog/runtime';
import { agentOf } from './agent-of';

/** The answer of an instance of an app about itself. */
interface ReadyAnswer {
  readonly isReady: boolean;
  readonly roles: readonly { readonly name: string; readonly status: string }[];
  /** The roles of the whole catalog, as far as the instance knows them. */
  readonly catalog?: readonly RoleHealth[];
}

const ASK_EVERY_MS = 1_000;
/** A busy instance may take this long: it still answers the requests that it has. */
const PATIENCE_MS = 5_000;
/**
 * An answer counts for this time, and until so many questions have failed since: a busy moment is no outage. The time alone would pass
 * while the proxy itself stands still.
 */
const KEPT_MS = 2 * ASK_EVERY_MS + PATIENCE_MS;
const KEPT_FAILURES = 2;
/** An instance that failed a request gets no others for this time, while another is left. */
const REST_MS = 1_000;

/** One running instance of an app. Asks it again and again whether it is ready. */
export class Instance {
  /** The connections of requests. */
  readonly agent: Agent;
  /** The questions have one of their own: they must not wait behind requests. */
  private readonly askingAgent: Agent;
  private readonly target: URL;
  private answer: ReadyAnswer | undefined;
  private answeredAt = 0;
  /** Questions without an answer since the last one. */
  private failures = 0;
  private restUntil = 0;
  private settle: () => void = () => undefined;
  /** Resolves after the first question. */
  readonly asked = new Promise<void>((settle) => {
    this.settle = settle;
  });
  private readonly loop = new PollLoop<void>({
    round: (signal) => this.ask(signal),
    everyMs: ASK_EVERY_MS,
    onFailure: () => {
      this.failures += 1;
      return Promise.resolve();
    },
  });

  /** @param address one of those that the name in `url` stands for */
  constructor(
    readonly url: string,
    readonly address: string,
  ) {
    this.target = new URL(url);
    this.agent = agentOf(this.target, address);
    this.askingAgent = agentOf(this.target, address);
  }

  start(): Promise<void> {
    return this.loop.start();
  }

  /** Ends its idle connections too; requests under way are answered. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.askingAgent.destroy();
    for (const socket of Object.values(this.agent.freeSockets).flat()) socket?.destroy();
  }

  /** The last answer; `undefined` while the instance cannot be reached. */
  known(): ReadyAnswer | undefined {
    const isLate = this.failures >= KEPT_FAILURES && performance.now() - this.answeredAt >= KEPT_MS;
    return isLate ? undefined : this.answer;
  }

  /** False while another instance is the better choice for a request. */
  isPreferred(): boolean {
    return this.answer?.isReady === true && this.failures === 0 && performance.now() >= this.restUntil;
  }

  /** Reports a request that it did not answer. */
  failed(): void {
    this.restUntil = performance.now() + REST_MS;
  }

  private async ask(signal: AbortSignal): Promise<void> {
    try {
      const limits = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const { statusCode, body } = await this.read('/health/ready', limits);
      const { roles = [], ...rest } = body as Partial<ReadyAnswer>;
      this.answer = { ...rest, roles, isReady: statusCode === 200 };
      this.answeredAt = performance.now();
      this.failures = 0;
    } finally {
      this.settle();
    }
  }

  private async read(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly statusCode: number | undefined; readonly body: unknown }> {
    const { askingAgent: agent, target } = this;
    const options = { agent, signal, headers: { host: target.host } };
    const asked = (target.protocol === 'https:' ? requestTls : requestHttp)(new URL(path, target), options);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { statusCode: answer.statusCode, body: await json(answer) };
  }
}
